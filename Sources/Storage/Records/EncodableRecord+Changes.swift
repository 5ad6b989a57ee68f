extension EncodableRecord {
  /// Returns the columns whose values differ from another record, with the values of the other
  /// record.
  ///
  ///     let old = try mug.databaseChanges(from: cup)  // ["name": 'cup']
  ///
  /// - Throws: The errors of encoding.
  public func databaseChanges(from record: Self) throws -> [String: DatabaseValue] {
    try PersistenceContainer(self).changes(from: PersistenceContainer(record))
  }

  /// Returns the columns whose values differ from a record of another type, with the values of the
  /// other record: NULL for a column that it does not have.
  ///
  ///     let old = try player.databaseChanges(from: PartialPlayer(name: "Arthur"))
  ///
  /// - Throws: The errors of encoding.
  @_disfavoredOverload
  public func databaseChanges(from record: some EncodableRecord) throws -> [String: DatabaseValue] {
    try PersistenceContainer(self).changes(from: PersistenceContainer(record))
  }

  /// Returns whether the record stores the same values as another record; `false` when one of them
  /// cannot be encoded.
  public func databaseEquals(_ record: Self) -> Bool {
    (try? databaseChanges(from: record))?.isEmpty ?? false
  }

  /// Modifies the record, and returns the columns that have changed, with their old values.
  ///
  ///     let old = try player.databaseChanges { $0.score += 100 }  // ["score": 900]
  ///
  /// - Throws: The errors of encoding and of the closure.
  public mutating func databaseChanges(
    modify: (inout Self) throws -> Void
  ) throws -> [String: DatabaseValue] {
    // A copy of the record would not do: if the record is an object, the copy would change too.
    let old = try PersistenceContainer(self)
    try modify(&self)
    return try PersistenceContainer(self).changes(from: old)
  }

  /// The columns that the record stores, with their values.
  ///
  ///     let values = try cup.databaseDictionary  // ["id": 1, "name": 'cup']
  ///
  /// - Throws: The errors of encoding.
  public var databaseDictionary: [String: DatabaseValue] {
    get throws {
      let container = try PersistenceContainer(self)
      return Dictionary(zip(container.columns, container.values)) { $1 }
    }
  }
}

extension Row {
  /// Creates a row from the columns that a record stores.
  ///
  ///     let row = try Row(cup)  // [id:1 name:'cup']
  ///
  /// - Throws: The errors of encoding.
  public convenience init(_ record: some EncodableRecord) throws {
    let container = try PersistenceContainer(record)
    self.init(layout: RowLayout(columnNames: container.columns), values: container.values)
  }
}
