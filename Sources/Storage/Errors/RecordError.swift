/// The error of a record that its table does not have.
///
///     do {
///       let player = try Player.find(db, key: 12)
///     } catch RecordError.recordNotFound(databaseTableName: let table, key: let key) {
///       // no row in player with id = 12
///     }
public enum RecordError: Error, Hashable, Sendable {
  /// The table has no row with the key, or a conflict made the database ignore the row.
  case recordNotFound(databaseTableName: String, key: [String: DatabaseValue])
}

extension RecordError: CustomStringConvertible {
  /// The table and the key.
  public var description: String {
    switch self {
    case .recordNotFound(let table, let key):
      let conditions = key.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
      return "no row in \(table) with \(conditions.joined(separator: " and "))"
    }
  }
}
