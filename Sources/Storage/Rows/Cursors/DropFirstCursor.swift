extension Cursor {
  /// Skips the first `count` elements.
  ///
  /// - Precondition: The count is not negative.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> DropFirstCursor<Self> {
    DropFirstCursor(self, count)
  }
}

/// A cursor that skips the first elements of another cursor.
public final class DropFirstCursor<Base: Cursor>: Cursor {
  @usableFromInline let base: Base
  @usableFromInline var remaining: Int

  @inlinable
  init(_ base: Base, _ count: Int) {
    precondition(count >= 0, "The count of dropFirst must not be negative, but it is \(count).")
    self.base = base
    remaining = count
  }

  /// Returns the next element, or `nil` at the end.
  @inlinable
  public func next() throws -> Base.Element? {
    while remaining > 0 {
      guard try base.next() != nil else {
        remaining = 0
        return nil
      }
      remaining -= 1
    }
    return try base.next()
  }
}
