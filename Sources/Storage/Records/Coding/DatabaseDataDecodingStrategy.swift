public import FoundationEssentials

/// How the `Data` properties of a `Decodable` record are read.
public enum DatabaseDataDecodingStrategy: Sendable {
  /// The conversion of `Data`: reads a BLOB, or the UTF-8 bytes of a TEXT.
  case deferredToData
  /// A function converts the value, or returns `nil` when it does not fit.
  case custom(@Sendable (DatabaseValue) -> Data?)

  /// Converts a value to data, or returns `nil` when it does not fit.
  func data(from value: DatabaseValue) -> Data? {
    switch self {
    case .deferredToData: Data.fromDatabaseValue(value)
    case .custom(let function): function(value)
    }
  }
}
