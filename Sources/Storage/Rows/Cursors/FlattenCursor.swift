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
