/// The error of a record that its table does not have.
///
///     do {
///       let player = try Player.find(db, key: 12)
///     } catch RecordError.recordNotFound {
///       // no row in player with id = 12 - for "SELECT * FROM "player" WHERE "id" = ?"
///     }
public enum RecordError: Error, Hashable, Sendable {
  /// The table has no row with the key. `sql` is the query that looked for it.
  case recordNotFound(databaseTableName: String, key: [String: DatabaseValue], sql: String)
}

extension RecordError: CustomStringConvertible {
  /// The table, the key and the SQL.
  public var description: String {
    switch self {
    case .recordNotFound(let table, let key, let sql):
      let conditions = key.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
      return "no row in \(table) with \(conditions.joined(separator: " and ")) - for \"\(sql)\""
    }
  }
}
