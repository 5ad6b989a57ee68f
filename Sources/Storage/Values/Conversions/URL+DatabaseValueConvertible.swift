public import FoundationEssentials

extension URL: DatabaseValueConvertible {
  /// The absolute string as a TEXT.
  public var databaseValue: DatabaseValue { absoluteString.databaseValue }

  /// Reads a TEXT.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> URL? {
    guard case .string(let text) = value.storage else { return nil }
    return URL(string: text)
  }
}
