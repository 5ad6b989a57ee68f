extension RangeReplaceableCollection {
  /// Collects the remaining elements of a cursor.
  ///
  /// Rows are copied, because a row cursor yields the same object at each step, with changed
  /// content. Space for `minimumCapacity` elements is reserved up front.
  @inlinable
  public init<Source: Cursor<Element>>(_ cursor: Source, minimumCapacity: Int = 0) throws {
    self.init()
    reserveCapacity(minimumCapacity)
    try append(contentsOf: cursor)
  }

  /// Appends the remaining elements of a cursor. When the cursor fails, the elements before the
  /// failure stay.
  @inlinable
  public mutating func append<Source: Cursor<Element>>(contentsOf cursor: Source) throws {
    while let element = try cursor.next() { append(independent(element)) }
  }
}
