public import FoundationEssentials

/// A value in one of SQLite's five storage classes.
///
/// It is a copy, independent of any connection.
///
/// Texts are equal if their bytes are, as in SQLite. Swift's `==` also takes two Unicode forms of
/// one character as equal.
public struct DatabaseValue: Hashable, Sendable {
  /// A storage class with its content. https://www.sqlite.org/datatype3.html
  public enum Storage: Hashable, Sendable {
    /// NULL.
    case null
    /// An INTEGER.
    case int64(Int64)
    /// A REAL. SQLite has no NaN: it stores NULL instead.
    case double(Double)
    /// A TEXT.
    case string(String)
    /// A BLOB.
    case blob(Data)
  }

  /// The storage class and content of the value.
  public let storage: Storage

  /// Creates a value of a storage class.
  public init(storage: Storage) {
    self.storage = storage
  }

  /// NULL.
  public static let null = DatabaseValue(storage: .null)

  /// Whether the value is NULL.
  public var isNull: Bool { storage == .null }
}

extension DatabaseValue.Storage {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public static func == (left: DatabaseValue.Storage, right: DatabaseValue.Storage) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.int64(let left), .int64(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.blob(let left), .blob(let right)): areEqual(left, right)
    case (.null, _), (.int64, _), (.double, _), (.string, _), (.blob, _): false
    }
  }

  /// Compares blobs out of line: the comparison of `Data` is long, and values are compared in many
  /// places.
  @inline(never)
  private static func areEqual(_ left: Data, _ right: Data) -> Bool { left == right }

  /// The name of the class as SQL's `typeof` returns it, in upper case.
  var typeName: String {
    switch self {
    case .null: "NULL"
    case .int64: "INTEGER"
    case .double: "REAL"
    case .string: "TEXT"
    case .blob: "BLOB"
    }
  }
}

extension DatabaseValue: CustomStringConvertible {
  /// The value as SQL: `NULL`, `12`, `1.5`, `'it''s'`, `x'00FF'`.
  @inline(never)
  public var description: String {
    switch storage {
    case .null: "NULL"
    case .int64(let value): String(value)
    case .double(let value):
      if let unstorable = UnstorableValue(value) {
        "(\(unstorable.description))"
      } else {
        value.isFinite ? String(value) : SQLLiteral.real(value)
      }
    case .string(let value): SQLLiteral.text(value, in: .expression)
    case .blob(let data): "x'" + data.hexadecimal(uppercase: true) + "'"
    }
  }
}
