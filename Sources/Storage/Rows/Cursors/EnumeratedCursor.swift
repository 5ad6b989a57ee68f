extension Cursor {
  /// Numbers the elements, starting at 0.
  @inlinable
  public func enumerated() -> EnumeratedCursor<Self> { EnumeratedCursor(self) }
}

/// A cursor that yields the elements of another cursor with their numbers.
public final class EnumeratedCursor<Base: Cursor>: Cursor {
  @usableFromInline let base: Base
  @usableFromInline var offset = 0

  @inlinable
  init(_ base: Base) {
    self.base = base
  }

  /// Returns the next element with its number, or `nil` at the end.
  @inlinable
  public func next() throws -> (offset: Int, element: Base.Element)? {
    guard let element = try base.next() else { return nil }
    defer { offset += 1 }
    return (offset, element)
  }
}
