extension Cursor {
  /// Transforms each element, as it is asked for.
  ///
  ///     let names = try Row.fetchCursor(db, sql: "SELECT name FROM item").map { row in
  ///       try row.decode(String.self, forColumn: "name")
  ///     }
  @inlinable
  public func map<Result>(
    _ transform: @escaping (Element) throws -> Result
  ) -> MapCursor<Self, Result> {
    MapCursor(self, transform)
  }

  /// Transforms each element, as it is asked for, and leaves out those that become `nil`.
  @inlinable
  public func compactMap<Result>(
    _ transform: @escaping (Element) throws -> Result?
  ) -> CompactMapCursor<Self, Result> {
    CompactMapCursor(self, transform)
  }
}

/// Yields what a closure makes of the elements of another cursor.
public final class MapCursor<Base: Cursor, Element>: Cursor {
  @usableFromInline let base: Base
  @usableFromInline let transform: (Base.Element) throws -> Element

  @inlinable
  init(_ base: Base, _ transform: @escaping (Base.Element) throws -> Element) {
    self.base = base
    self.transform = transform
  }

  /// Returns the next element, or `nil` at the end.
  @inlinable
  public func next() throws -> Element? {
    guard let element = try base.next() else { return nil }
    return try transform(element)
  }
}

/// Yields what a closure makes of the elements of another cursor, without those that become `nil`.
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
