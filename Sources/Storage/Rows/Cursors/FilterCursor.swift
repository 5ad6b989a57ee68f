extension Cursor {
  /// Skips the elements that do not satisfy a condition.
  @inlinable
  public func filter(
    _ isIncluded: @escaping (Element) throws -> Bool
  ) -> FilterCursor<Self> {
    FilterCursor(self, isIncluded)
  }
}

/// A cursor that yields the elements of another cursor that satisfy a condition.
public final class FilterCursor<Base: Cursor>: Cursor {
  @usableFromInline let base: Base
  @usableFromInline let isIncluded: (Base.Element) throws -> Bool

  @inlinable
  init(_ base: Base, _ isIncluded: @escaping (Base.Element) throws -> Bool) {
    self.base = base
    self.isIncluded = isIncluded
  }

  /// Returns the next element that satisfies the condition, or `nil` at the end.
  @inlinable
  public func next() throws -> Base.Element? {
    while let element = try base.next() {
      if try isIncluded(element) { return element }
    }
    return nil
  }
}
