extension PersistenceContainer {
  /// Collects the columns and values that a record stores.
  init(_ record: some EncodableRecord, userInfo: [CodingUserInfoKey: Any] = [:]) throws {
    self.init(userInfo: userInfo)
    try record.encode(to: &self)
  }

  /// All columns with their values.
  var assignments: [ColumnAssignment] {
    zip(columns, values).map { ColumnAssignment($0, $1.sqlExpression) }
  }

  /// Returns the columns whose values differ from another container, with the values of the other
  /// container.
  func changes(from old: PersistenceContainer) -> [String: DatabaseValue] {
    let oldValues = Dictionary(zip(old.columns, old.values)) { $1 }
    var changes: [String: DatabaseValue] = [:]
    for (column, value) in zip(columns, values) {
      // A record of another type may spell the column differently.
      let oldValue = oldValues[column] ?? old.value(ofColumn: column) ?? .null
      if value != oldValue { changes[column] = oldValue }
    }
    return changes
  }

  private func value(ofColumn name: String) -> DatabaseValue? {
    let name = name.asciiLowercased
    return columns.firstIndex { $0.asciiLowercased == name }.map { values[$0] }
  }
}
