public import Foundation

extension URL: DatabaseValueConvertible {
  /// A TEXT: the absolute string.
  public var databaseValue: DatabaseValue { absoluteString.databaseValue }

  /// Reads a TEXT.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> URL? {
    String.fromDatabaseValue(value).flatMap { URL(string: $0) }
  }
}

extension UUID: DatabaseValueConvertible {
  /// A BLOB of sixteen bytes.
  public var databaseValue: DatabaseValue {
    withUnsafeBytes(of: uuid) { DatabaseValue(storage: .blob(Data($0))) }
  }

  /// Reads a BLOB of sixteen bytes, or a TEXT such as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> UUID? {
    switch value.storage {
    case .blob(let data) where data.count == 16:
      data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    case .string(let text):
      UUID(uuidString: text)
    default:
      nil
    }
  }
}

extension Decimal: DatabaseValueConvertible {
  /// A TEXT, so that no digit is lost. In a column of type `NUMERIC`, SQLite turns it into a number.
  public var databaseValue: DatabaseValue { description.databaseValue }

  /// Reads a TEXT, an INTEGER or a REAL.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Decimal? {
    switch value.storage {
    case .string(let text): Decimal(string: text)
    case .int64(let integer): Decimal(integer)
    // By way of the shortest text, so that 12.5 and 0.1 are what they look like.
    case .double(let real): Decimal(string: String(real))
    default: nil
    }
  }
}
