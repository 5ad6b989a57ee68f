extension Cursor {
  /// Skips elements while they satisfy a condition.
  @inlinable
  public func drop(
    while predicate: @escaping (Element) throws -> Bool
  ) -> DropWhileCursor<Self> {
    DropWhileCursor(self, predicate)
  }
}

/// A cursor that skips the elements of another cursor while they satisfy a condition.
public final class DropWhileCursor<Base: Cursor>: Cursor {
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
    guard let predicate else { return try base.next() }
    while let element = try base.next() {
      guard try !predicate(element) else { continue }
      self.predicate = nil
      return element
    }
    return nil
  }
}
