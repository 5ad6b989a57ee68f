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

extension Cursor {
  /// Transforms each element when it is requested, and skips elements that become `nil`.
  @inlinable
  public func compactMap<Result>(
    _ transform: @escaping (Element) throws -> Result?
  ) -> CompactMapCursor<Self, Result> {
    CompactMapCursor(self, transform)
  }
}

/// A cursor that transforms the elements of another cursor and skips elements that become `nil`.
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

extension Cursor {
  /// Yields the elements of each of the cursors that `transform` returns, one after the other.
  ///
  ///     let wines = try Int.fetchCursor(db, sql: "SELECT id FROM region").flatMap { id in
  ///       try Wine.fetchCursor(db, sql: "SELECT * FROM wine WHERE region = ?", arguments: [id])
  ///     }
  @inlinable
  public func flatMap<Segment: Cursor>(
    _ transform: @escaping (Element) throws -> Segment
  ) -> FlattenCursor<MapCursor<Self, Segment>> {
    map(transform).joined()
  }

  /// Yields the elements of each of the sequences that `transform` returns, one after the other.
  @inlinable
  public func flatMap<Segment: Sequence>(
    _ transform: @escaping (Element) throws -> Segment
  ) -> FlattenCursor<MapCursor<Self, IteratorCursor<Segment.Iterator>>> {
    map { IteratorCursor(try transform($0).makeIterator()) }.joined()
  }
}

extension Cursor where Element: Cursor {
  /// Yields the elements of each of the cursors that this cursor yields, one after the other.
  @inlinable
  public func joined() -> FlattenCursor<Self> { FlattenCursor(self) }
}

extension Cursor where Element: Sequence {
  /// Yields the elements of each of the sequences that this cursor yields, one after the other.
  @inlinable
  public func joined() -> FlattenCursor<MapCursor<Self, IteratorCursor<Element.Iterator>>> {
    flatMap { $0 }
  }
}

/// A cursor that yields the elements of the cursors that another cursor yields.
public final class FlattenCursor<Base: Cursor>: Cursor where Base.Element: Cursor {
  @usableFromInline let base: Base
  @usableFromInline var segment: Base.Element?

  @inlinable
  init(_ base: Base) {
    self.base = base
  }

  /// Returns the next element, or `nil` at the end of the last cursor.
  @inlinable
  public func next() throws -> Base.Element.Element? {
    while true {
      if let element = try segment?.next() { return element }
      // A finished segment is released first, so that the next segment can reuse its statement.
      segment = nil
      segment = try base.next()
      if segment == nil { return nil }
    }
  }
}

extension Sequence {
  /// Yields the elements of each of the cursors that `transform` returns, one after the other.
  ///
  ///     let wines = try [1, 2].flatMap { id in
  ///       try Wine.fetchCursor(db, sql: "SELECT * FROM wine WHERE region = ?", arguments: [id])
  ///     }
  @inlinable
  public func flatMap<Segment: Cursor>(
    _ transform: @escaping (Element) throws -> Segment
  ) -> FlattenCursor<MapCursor<IteratorCursor<Iterator>, Segment>> {
    IteratorCursor(makeIterator()).flatMap(transform)
  }
}
