/// A cursor that yields the elements of an iterator.
public final class IteratorCursor<Base: IteratorProtocol>: Cursor {
  @usableFromInline var base: Base

  /// Creates a cursor from an iterator.
  @inlinable
  public init(_ base: Base) {
    self.base = base
  }

  /// Returns the next element, or `nil` at the end.
  @inlinable
  public func next() -> Base.Element? { base.next() }
}
