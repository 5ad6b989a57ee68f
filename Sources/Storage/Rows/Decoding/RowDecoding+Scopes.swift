// Decodes coding keys that name a scope of the row, such as a table of a join, instead of a column.

extension RowDecoding {
  /// Returns the scope that a key names, or `nil` when the key names a column.
  func scope(_ name: String) -> Row? {
    // The fast path: most rows have no scopes, and most keys name columns.
    guard row.adapted != nil, !hasColumn(name) else { return nil }
    return row.scopes[name]
  }

  /// Decodes the row of a scope. A type that is a record is decoded with its own strategies.
  func decode<Value: Decodable>(_ type: Value.Type, scope: Row) throws -> Value {
    guard let recordType = type as? any FetchableRecord.Type else {
      return try FetchableRecordDecoder().decode(type, from: scope)
    }
    return try recordType.init(row: scope) as! Value
  }
}
