internal import CWellspringSQLite
public import FoundationEssentials

extension UUID: DatabaseValueConvertible {
  /// The UUID as a BLOB of sixteen bytes.
  public var databaseValue: DatabaseValue {
    withUnsafeBytes(of: uuid) { DatabaseValue(storage: .blob(Data($0))) }
  }

  /// Reads a BLOB of sixteen bytes, or a TEXT such as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> UUID? {
    switch value.storage {
    case .blob(let data): data.withUnsafeBytes(UUID.init(bytes:))
    case .string(let text): UUID(uuidString: text)
    default: nil
    }
  }

  /// Reads the same values as ``fromDatabaseValue(_:)``.
  public static func fromColumnValue(_ column: ColumnValue) -> UUID? {
    switch column.type {
    case SQLITE_BLOB: column.withUnsafeBytes(UUID.init(bytes:))
    case SQLITE_TEXT: column.string.flatMap(UUID.init(uuidString:))
    default: nil
    }
  }

  /// Binds a BLOB of sixteen bytes.
  public func bind(to parameter: StatementParameter) -> Int32 {
    withUnsafeBytes(of: uuid) { parameter.bind(blob: $0) }
  }

  private init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 else { return nil }
    self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }
}
