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

extension Dictionary {
  /// Groups the remaining elements of a cursor by the keys that a closure returns.
  ///
  ///     let players = try Player.fetchCursor(db, sql: "SELECT * FROM player")
  ///     let teams = try Dictionary(grouping: players, by: { $0.teamID })
  ///
  /// Rows are copied, because a row cursor yields the same object at each step, with changed
  /// content. Space for `minimumCapacity` keys is reserved up front.
  @inlinable
  public init<Source: Cursor>(
    minimumCapacity: Int = 0,
    grouping cursor: Source,
    by keyForValue: (Source.Element) throws -> Key
  ) throws where Value == [Source.Element] {
    self.init(minimumCapacity: minimumCapacity)
    while let element = try cursor.next() {
      try self[keyForValue(element), default: []].append(independent(element))
    }
  }

  /// Collects the key-value pairs that a cursor yields.
  ///
  ///     let players = try Player.fetchCursor(db, sql: "SELECT * FROM player")
  ///     let byID = try Dictionary(uniqueKeysWithValues: players.map { ($0.id, $0) })
  ///
  /// Space for `minimumCapacity` keys is reserved up front.
  ///
  /// - Throws: The errors of the cursor, and ``DatabaseError`` with `SQLITE_MISUSE` when it yields
  ///   a key twice.
  @inlinable
  public init<Source: Cursor<(Key, Value)>>(
    minimumCapacity: Int = 0,
    uniqueKeysWithValues cursor: Source
  ) throws {
    self.init(minimumCapacity: minimumCapacity)
    while let (key, value) = try cursor.next() {
      guard updateValue(independent(value), forKey: key) == nil else {
        throw DatabaseError(
          resultCode: .SQLITE_MISUSE,
          message: """
            a cursor yields the key \(key) twice: use init(_:uniquingKeysWith:) to choose a value
            """
        )
      }
    }
  }

  /// Collects the key-value pairs that a cursor yields. A closure combines the values of equal
  /// keys.
  ///
  /// Space for `minimumCapacity` keys is reserved up front.
  @inlinable
  public init<Source: Cursor<(Key, Value)>>(
    minimumCapacity: Int = 0,
    _ cursor: Source,
    uniquingKeysWith combine: (Value, Value) throws -> Value
  ) throws {
    self.init(minimumCapacity: minimumCapacity)
    while let (key, value) = try cursor.next() {
      let value = independent(value)
      self[key] = try self[key].map { try combine($0, value) } ?? value
    }
  }
}
