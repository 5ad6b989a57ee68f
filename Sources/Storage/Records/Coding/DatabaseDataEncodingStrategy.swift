public import FoundationEssentials

/// How the `Data` properties of an `Encodable` record are stored.
public enum DatabaseDataEncodingStrategy: Sendable {
  /// The conversion of `Data`: a BLOB.
  case deferredToData
  /// A TEXT. Data that is not valid UTF-8 is an error.
  case text
  /// The value that a function returns; NULL for `nil`.
  case custom(@Sendable (Data) -> (any DatabaseValueConvertible)?)

  /// Returns the value to store, or `nil` when the data should be text but is not valid UTF-8.
  func databaseValue(of data: Data) -> DatabaseValue? {
    switch self {
    case .deferredToData: data.databaseValue
    case .text: String(validating: data, as: UTF8.self)?.databaseValue
    case .custom(let function): function(data)?.databaseValue ?? .null
    }
  }
}
