/// A type that yields elements one by one, computing each when it is requested.
///
///     let names = try String.fetchCursor(db, sql: "SELECT name FROM item")
///     while let name = try names.next() {
///       print(name)
///     }
///
/// A database cursor can be iterated once, inside the access that created it. SQLite computes a row
/// only when the cursor is asked for its next element. Do not change the rows of the query while
/// its cursor is open: it is undefined which changes the cursor sees. A cursor is not a `Sequence`,
/// because every step can fail.
///
/// The operators are the same as for `Sequence`. Operators that can be lazy are lazy, and throw
/// when they reach the element that fails; the other operators throw immediately. All of them
/// rethrow the errors of ``next()`` and of their closures:
///
///     let urls = try URL.fetchCursor(db, sql: "SELECT url FROM link")
///     try urls.filter { $0.host() == "github.com" }.forEach { print($0) }
public protocol Cursor<Element>: AnyObject {
  /// The type of the elements.
  associatedtype Element

  /// Returns the next element, or `nil` at the end.
  ///
  /// - Throws: ``DatabaseError`` when the database fails, again at each further call, and the
  ///   errors of decoding the element.
  func next() throws -> Element?
}

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
