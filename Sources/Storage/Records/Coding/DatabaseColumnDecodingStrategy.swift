/// How column names are converted to the coding keys of a `Decodable` record.
public enum DatabaseColumnDecodingStrategy: Sendable {
  /// The key has the name of the column, ignoring case.
  case useDefaultKeys
  /// The column `first_name` has the key `firstName`.
  case convertFromSnakeCase
  /// A function converts the name of the column to the key.
  case custom(@Sendable (String) -> any CodingKey)

  /// Returns the name of a column's key.
  func keyName(ofColumn column: String) -> String {
    switch self {
    case .useDefaultKeys: column
    case .convertFromSnakeCase: SnakeCase.camelCased(column)
    case .custom(let function): function(column).stringValue
    }
  }
}
