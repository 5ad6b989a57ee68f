extension RangeReplaceableCollection {
  /// Collects the remaining elements of a cursor.
  ///
  /// Elements that are rows are copied, because a cursor of rows yields one row that changes.
  /// Room for `minimumCapacity` elements is made at once.
  @inlinable
  public init<Source: Cursor<Element>>(_ cursor: Source, minimumCapacity: Int = 0) throws {
    self.init()
    reserveCapacity(minimumCapacity)
    try append(contentsOf: cursor)
  }

  /// Appends the remaining elements of a cursor. When it fails, those that came before stay.
  @inlinable
  public mutating func append<Source: Cursor<Element>>(contentsOf cursor: Source) throws {
    while let element = try cursor.next() { append(independent(element)) }
  }
}

extension Set {
  /// Collects the remaining elements of a cursor.
  ///
  /// Elements that are rows are copied, because a cursor of rows yields one row that changes.
  /// Room for `minimumCapacity` elements is made at once.
  @inlinable
  public init<Source: Cursor<Element>>(_ cursor: Source, minimumCapacity: Int = 0) throws {
    self.init(minimumCapacity: minimumCapacity)
    try formUnion(cursor)
  }

  /// Inserts the remaining elements of a cursor. When it fails, those that came before stay.
  @inlinable
  public mutating func formUnion<Source: Cursor<Element>>(_ cursor: Source) throws {
    while let element = try cursor.next() { insert(independent(element)) }
  }

  /// Returns the elements of this set and the remaining ones of a cursor.
  @inlinable
  public func union<Source: Cursor<Element>>(_ cursor: Source) throws -> Set {
    var result = self
    try result.formUnion(cursor)
    return result
  }

  /// Returns the elements of this set that a cursor yields too.
  @inlinable
  public func intersection<Source: Cursor<Element>>(_ cursor: Source) throws -> Set {
    var result = Set()
    while let element = try cursor.next() {
      if let index = firstIndex(of: element) { result.insert(self[index]) }
    }
    return result
  }

  /// Removes the elements that a cursor does not yield. When it fails, the set stays as it was.
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
  /// Elements that are rows are copied, because a cursor of rows yields one row that changes.
  /// Room for `minimumCapacity` keys is made at once.
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

  /// Collects the pairs of key and value that a cursor yields.
  ///
  ///     let players = try Player.fetchCursor(db, sql: "SELECT * FROM player")
  ///     let byID = try Dictionary(uniqueKeysWithValues: players.map { ($0.id, $0) })
  /// Room for `minimumCapacity` keys is made at once.
  /// - Precondition: No key comes twice.
  @inlinable
  public init<Source: Cursor<(Key, Value)>>(
    minimumCapacity: Int = 0,
    uniqueKeysWithValues cursor: Source
  ) throws {
    self.init(minimumCapacity: minimumCapacity)
    while let (key, value) = try cursor.next() {
      let previous = updateValue(independent(value), forKey: key)
      precondition(
        previous == nil,
        "A cursor yields the key \(key) twice: use init(_:uniquingKeysWith:) to choose a value."
      )
    }
  }

  /// Collects the pairs of key and value that a cursor yields. A closure chooses between the values of one key.
  /// Room for `minimumCapacity` keys is made at once.
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

/// The element itself, or a copy of a row: the row of a cursor changes with the next step.
@inlinable
func independent<Element>(_ element: Element) -> Element {
  // In specialised code the comparison is a constant, and all of this disappears.
  guard Element.self == Row.self else { return element }
  return (element as! Row).copy() as! Element
}
