/// How the coding keys of an `Encodable` record are converted to column names.
public enum DatabaseColumnEncodingStrategy: Sendable {
  /// The column has the name of the key.
  case useDefaultKeys
  /// The key `firstName` has the column `first_name`.
  case convertToSnakeCase
  /// A function converts the key to the name of the column. It is called once for each key of a
  /// type.
  case custom(@Sendable (any CodingKey) -> String)

  /// Returns the name of a key's column.
  func columnName(of key: any CodingKey) -> String {
    switch self {
    case .useDefaultKeys: key.stringValue
    case .convertToSnakeCase: SnakeCase.snakeCased(key.stringValue)
    case .custom(let function): function(key)
    }
  }
}
