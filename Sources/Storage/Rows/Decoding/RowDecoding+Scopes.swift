// Keys that name no column, but a scope of the row: the tables of a join.

extension RowDecoding {
  /// The scope that a key names.
  func scope(_ name: String) -> Row? {
    // Most rows have no scopes, and most keys are columns.
    guard row.adapted != nil, !hasColumn(name) else { return nil }
    return row.scopes[name]
  }

  /// Decodes a row of its own: as a record when the type is one, so that its strategies hold.
  func decode<Value: Decodable>(_ type: Value.Type, scope: Row) throws -> Value {
    guard let recordType = type as? any FetchableRecord.Type else {
      return try FetchableRecordDecoder().decode(type, from: scope)
    }
    return try recordType.init(row: scope) as! Value
  }
}
