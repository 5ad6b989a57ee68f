extension Cursor {
  /// Yields the first elements, at most `maxLength`. The elements after them are not computed.
  ///
  /// - Precondition: The length is not negative.
  @inlinable
  public func prefix(_ maxLength: Int) -> PrefixCursor<Self> {
    PrefixCursor(self, maxLength)
  }
}

/// A cursor that yields the first elements of another cursor.
public final class PrefixCursor<Base: Cursor>: Cursor {
  @usableFromInline let base: Base
  @usableFromInline var remaining: Int

  @inlinable
  init(_ base: Base, _ maxLength: Int) {
    precondition(
      maxLength >= 0,
      "The length of a prefix must not be negative, but it is \(maxLength)."
    )
    self.base = base
    remaining = maxLength
  }

  /// Returns the next element, or `nil` at the end.
  @inlinable
  public func next() throws -> Base.Element? {
    guard remaining > 0 else { return nil }
    let element = try base.next()
    remaining = element == nil ? 0 : remaining - 1
    return element
  }
}
