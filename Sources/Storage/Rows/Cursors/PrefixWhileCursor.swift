extension Cursor {
  /// Yields elements while they satisfy a condition.
  @inlinable
  public func prefix(
    while predicate: @escaping (Element) throws -> Bool
  ) -> PrefixWhileCursor<Self> {
    PrefixWhileCursor(self, predicate)
  }
}

/// A cursor that yields the elements of another cursor while they satisfy a condition.
public final class PrefixWhileCursor<Base: Cursor>: Cursor {
  @usableFromInline let base: Base
  /// `nil` after the first element that did not satisfy it.
  @usableFromInline var predicate: ((Base.Element) throws -> Bool)?

  @inlinable
  init(_ base: Base, _ predicate: @escaping (Base.Element) throws -> Bool) {
    self.base = base
    self.predicate = predicate
  }

  /// Returns the next element, or `nil` at the end.
  @inlinable
  public func next() throws -> Base.Element? {
    guard let predicate, let element = try base.next() else { return nil }
    if try predicate(element) { return element }
    self.predicate = nil
    return nil
  }
}
