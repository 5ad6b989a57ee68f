/// A type-erased cursor.
///
///     func names(_ db: Database) throws -> AnyCursor<String> {
///       AnyCursor(try String.fetchCursor(db, sql: "SELECT name FROM item").filter { $0 != "" })
///     }
public final class AnyCursor<Element>: Cursor {
  @usableFromInline let body: () throws -> Element?

  /// Creates a cursor that calls a closure for each element until the closure returns `nil`.
  @inlinable
  public init(_ body: @escaping () throws -> Element?) {
    self.body = body
  }

  /// Creates a cursor that yields the elements of another cursor.
  @inlinable
  public convenience init<Base: Cursor<Element>>(_ base: Base) {
    self.init { try base.next() }
  }

  /// Creates a cursor that yields the elements of a sequence.
  @inlinable
  public convenience init(_ sequence: some Sequence<Element>) {
    self.init(IteratorCursor(sequence.makeIterator()))
  }

  /// Creates a cursor that yields the elements of an iterator.
  @inlinable
  public convenience init(iterator: some IteratorProtocol<Element>) {
    self.init(IteratorCursor(iterator))
  }

  /// Returns the next element, or `nil` at the end.
  @inlinable
  public func next() throws -> Element? { try body() }
}
