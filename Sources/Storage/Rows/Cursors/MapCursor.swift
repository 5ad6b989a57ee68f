extension Cursor {
  /// Transforms each element when it is requested.
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
}

/// A cursor that transforms the elements of another cursor.
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
