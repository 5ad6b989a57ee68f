internal import FoundationEssentials

/// How the `UUID` properties of an `Encodable` record are stored.
public enum DatabaseUUIDEncodingStrategy: Sendable {
  /// The conversion of `UUID`: a BLOB of sixteen bytes.
  case deferredToUUID
  /// A TEXT such as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
  case uppercaseString
  /// A TEXT such as `e621e1f8-c36c-495a-93fc-0c247a3e6e5f`.
  case lowercaseString

  /// Returns the value to store.
  func databaseValue(of uuid: UUID) -> DatabaseValue {
    switch self {
    case .deferredToUUID: uuid.databaseValue
    case .uppercaseString: uuid.uuidString.databaseValue
    case .lowercaseString: uuid.uuidString.lowercased().databaseValue
    }
  }
}
