extension Cursor {
  /// Transforms each element when it is requested, and skips elements that become `nil`.
  @inlinable
  public func compactMap<Result>(
    _ transform: @escaping (Element) throws -> Result?
  ) -> CompactMapCursor<Self, Result> {
    CompactMapCursor(self, transform)
  }
}

/// A cursor that transforms the elements of another cursor and skips elements that become `nil`.
public final class CompactMapCursor<Base: Cursor, Element>: Cursor {
  @usableFromInline let base: Base
  @usableFromInline let transform: (Base.Element) throws -> Element?

  @inlinable
  init(_ base: Base, _ transform: @escaping (Base.Element) throws -> Element?) {
    self.base = base
    self.transform = transform
  }

  /// Returns the next element, or `nil` at the end.
  @inlinable
  public func next() throws -> Element? {
    while let element = try base.next() {
      if let result = try transform(element) { return result }
    }
    return nil
  }
}
