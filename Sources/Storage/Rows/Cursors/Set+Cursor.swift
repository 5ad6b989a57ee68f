extension Set {
  /// Collects the remaining elements of a cursor.
  ///
  /// Rows are copied, because a row cursor yields the same object at each step, with changed
  /// content. Space for `minimumCapacity` elements is reserved up front.
  @inlinable
  public init<Source: Cursor<Element>>(_ cursor: Source, minimumCapacity: Int = 0) throws {
    self.init(minimumCapacity: minimumCapacity)
    try formUnion(cursor)
  }

  /// Inserts the remaining elements of a cursor. When the cursor fails, the elements before the
  /// failure stay.
  @inlinable
  public mutating func formUnion<Source: Cursor<Element>>(_ cursor: Source) throws {
    while let element = try cursor.next() { insert(independent(element)) }
  }

  /// Returns the union of this set and the remaining elements of a cursor.
  @inlinable
  public func union<Source: Cursor<Element>>(_ cursor: Source) throws -> Set {
    var result = self
    try result.formUnion(cursor)
    return result
  }

  /// Returns the elements of this set that a cursor also yields.
  @inlinable
  public func intersection<Source: Cursor<Element>>(_ cursor: Source) throws -> Set {
    var result = Set()
    while let element = try cursor.next() {
      if let index = firstIndex(of: element) { result.insert(self[index]) }
    }
    return result
  }

  /// Removes the elements that a cursor does not yield. When the cursor fails, the set is
  /// unchanged.
  @inlinable
  public mutating func formIntersection<Source: Cursor<Element>>(_ cursor: Source) throws {
    self = try intersection(cursor)
  }
}
