/// A record and its table do not fit together.
public enum RecordError: Error, Hashable, Sendable {
  /// The table has no row with the key of the record.
  case recordNotFound(databaseTableName: String, key: [String: DatabaseValue])
}

extension RecordError: CustomStringConvertible {
  /// The table and the key: `no row in item with id = 12`.
  public var description: String {
    switch self {
    case .recordNotFound(let table, let key):
      let conditions = key.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
      return "no row in \(table) with \(conditions.joined(separator: " and "))"
    }
  }
}
