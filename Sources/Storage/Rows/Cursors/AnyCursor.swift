/// A cursor whose own type is hidden, and only the type of its elements known.
///
///     func names(_ db: Database) throws -> AnyCursor<String> {
///       AnyCursor(try String.fetchCursor(db, sql: "SELECT name FROM item").filter { $0 != "" })
///     }
public final class AnyCursor<Element>: Cursor {
  @usableFromInline let body: () throws -> Element?

  /// Makes a cursor that calls a closure for each element, until the closure returns `nil` for the end.
  @inlinable
  public init(_ body: @escaping () throws -> Element?) {
    self.body = body
  }

  /// Makes a cursor that yields the elements of another one.
  @inlinable
  public convenience init<Base: Cursor<Element>>(_ base: Base) {
    self.init { try base.next() }
  }

  /// Makes a cursor that yields the elements of a sequence.
  @inlinable
  public convenience init(_ sequence: some Sequence<Element>) {
    self.init(IteratorCursor(sequence.makeIterator()))
  }

  /// Returns the next element, or `nil` at the end.
  @inlinable
  public func next() throws -> Element? { try body() }
}

/// Yields the elements of an iterator.
public final class IteratorCursor<Base: IteratorProtocol>: Cursor {
  @usableFromInline var base: Base

  /// Makes a cursor of an iterator.
  @inlinable
  public init(_ base: Base) {
    self.base = base
  }

  /// Returns the next element, or `nil` at the end.
  @inlinable
  public func next() -> Base.Element? { base.next() }
}
