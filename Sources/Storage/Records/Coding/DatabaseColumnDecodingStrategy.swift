/// Which coding key of a `Decodable` record a column is for.
public enum DatabaseColumnDecodingStrategy: Sendable {
  /// The key of the column's name, in whatever case.
  case useDefaultKeys
  /// For a column `first_name`, the key `firstName`.
  case convertFromSnakeCase
  /// The key that a function makes of the column's name.
  case custom(@Sendable (String) -> any CodingKey)

  /// The name of the key that a column is for.
  func keyName(ofColumn column: String) -> String {
    switch self {
    case .useDefaultKeys: column
    case .convertFromSnakeCase: SnakeCase.camelCased(column)
    case .custom(let function): function(column).stringValue
    }
  }
}
