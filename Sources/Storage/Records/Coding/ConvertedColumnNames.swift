internal import WellspringPlatform

/// Which columns the coding keys of an `Encodable` record are for.
public enum DatabaseColumnEncodingStrategy: Sendable {
  /// The column of the key's name.
  case useDefaultKeys
  /// For a key `firstName`, the column `first_name`.
  case convertToSnakeCase
  /// The column that a function makes of the key. It is asked once for each key of a type.
  case custom(@Sendable (any CodingKey) -> String)

  /// The name of the column that a key is for.
  func columnName(of key: any CodingKey) -> String {
    switch self {
    case .useDefaultKeys: key.stringValue
    case .convertToSnakeCase: SnakeCase.snakeCased(key.stringValue)
    case .custom(let function): function(key)
    }
  }
}

/// The columns of a type's coding keys, for types whose columns have other names.
///
/// Records of one type are encoded key by key in the same order, so that the names are found without
/// converting them, and are the same strings each time.
struct ConvertedColumnNames {
  private struct Name {
    let key: String
    let column: String
  }

  // The names of all types that were encoded.
  private static let known = Lock<[ObjectIdentifier: [Name]]>([:])

  private let type: ObjectIdentifier
  private let strategy: DatabaseColumnEncodingStrategy
  private var names: [Name]
  private var ordinal = 0
  private var hasGrown = false

  /// - Returns: `nil` for a type whose columns have the names of its keys.
  init?(_ recordType: any EncodableRecord.Type) {
    strategy = recordType.databaseColumnEncodingStrategy
    if case .useDefaultKeys = strategy { return nil }
    let type = ObjectIdentifier(recordType)
    self.type = type
    names = Self.known.withLock { $0[type] ?? [] }
  }

  /// The column of a key.
  mutating func column(of key: some CodingKey) -> String {
    let name = key.stringValue
    defer { ordinal += 1 }
    if ordinal < names.count, names[ordinal].key == name { return names[ordinal].column }
    if let index = names.firstIndex(where: { $0.key == name }) {
      ordinal = index
      return names[index].column
    }
    let column = strategy.columnName(of: key)
    names.append(Name(key: name, column: column))
    hasGrown = true
    return column
  }

  /// Keeps the names for the next record.
  func keep() {
    guard hasGrown else { return }
    Self.known.withLock { $0[type] = names }
  }
}
