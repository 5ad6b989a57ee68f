extension EncodableRecord {
  /// Returns the columns whose values differ from another record, with the values of the other
  /// record.
  ///
  ///     let old = mug.databaseChanges(from: cup)  // ["name": 'cup']
  ///
  /// - Throws: The errors of encoding.
  public func databaseChanges(from record: Self) throws -> [String: DatabaseValue] {
    try PersistenceContainer(self).changes(from: PersistenceContainer(record))
  }

  /// Returns whether the record stores the same values as another record; `false` when one of them
  /// cannot be encoded.
  public func databaseEquals(_ record: Self) -> Bool {
    (try? databaseChanges(from: record))?.isEmpty ?? false
  }
}
