public import Foundation

/// How the `Data` properties of an `Encodable` record are stored.
public enum DatabaseDataEncodingStrategy: Sendable {
  /// As `Data` is: a BLOB.
  case deferredToData
  /// A TEXT. Data that are not valid UTF-8 are an error.
  case text
  /// What a function returns; NULL for `nil`.
  case custom(@Sendable (Data) -> (any DatabaseValueConvertible)?)

  /// What is stored for some data, or `nil` when they are no text, and should be.
  func databaseValue(of data: Data) -> DatabaseValue? {
    switch self {
    case .deferredToData: data.databaseValue
    case .text: String(validating: data, as: UTF8.self)?.databaseValue
    case .custom(let function): function(data)?.databaseValue ?? .null
    }
  }
}

/// How the `UUID` properties of an `Encodable` record are stored.
public enum DatabaseUUIDEncodingStrategy: Sendable {
  /// As `UUID` is: a BLOB of sixteen bytes.
  case deferredToUUID
  /// A TEXT such as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
  case uppercaseString
  /// A TEXT such as `e621e1f8-c36c-495a-93fc-0c247a3e6e5f`.
  case lowercaseString

  /// What is stored for an identifier.
  func databaseValue(of uuid: UUID) -> DatabaseValue {
    switch self {
    case .deferredToUUID: uuid.databaseValue
    case .uppercaseString: uuid.uuidString.databaseValue
    case .lowercaseString: uuid.uuidString.lowercased().databaseValue
    }
  }
}
