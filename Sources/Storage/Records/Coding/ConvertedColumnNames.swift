internal import WellspringPlatform

/// The column names of a record type whose coding keys are converted.
///
/// Records of one type encode the same keys in the same order. So the names of earlier records are
/// reused: they need no conversion, and are identical strings each time.
struct ConvertedColumnNames {
  private struct Name {
    let key: String
    let column: String
  }

  // Guards the names of all types that were encoded.
  private static let known = Lock<[ObjectIdentifier: [Name]]>([:])

  private let type: ObjectIdentifier
  private let strategy: DatabaseColumnEncodingStrategy
  private var names: [Name]
  private var ordinal = 0
  private var hasGrown = false

  /// - Returns: `nil` for a type whose columns have the same names as its keys.
  init?(_ recordType: any EncodableRecord.Type) {
    strategy = recordType.databaseColumnEncodingStrategy
    if case .useDefaultKeys = strategy { return nil }
    let type = ObjectIdentifier(recordType)
    self.type = type
    names = Self.known.withLock { $0[type] ?? [] }
  }

  /// Returns the column of a key.
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

  /// Stores new names, and begins the next record.
  mutating func save() {
    ordinal = 0
    guard hasGrown else { return }
    hasGrown = false
    Self.known.withLock { $0[type] = names }
  }
}
