internal import CWellspringSQLite

/// The values of a foreign key in the rows of a request, each one once and without NULL.
///
/// SQLite finds the rows that belong to the keys, and this type finds the key of each of them. So
/// keys are equal here if they are equal in SQL: `1` and `1.0` are, and strings that the collation
/// of the column does not distinguish.
struct PrefetchKeys: Hashable, Sendable {
  /// How the columns compare strings.
  let collations: [KeyCollation]
  /// The values, one row of the key after the other.
  private(set) var values: [DatabaseValue] = []
  private(set) var count = 0
  private var integers: [Int64: Int] = [:]
  private var others: [[DatabaseValue]: Int] = [:]

  init(collations: [KeyCollation]) {
    self.collations = collations
  }

  /// The number of columns.
  var width: Int { collations.count }

  /// Whether each key is an integer.
  var isIntegers: Bool { others.isEmpty }

  /// Adds a key, and returns its position; `nil` for a key with NULL, because no row belongs to it.
  mutating func insert(_ values: [DatabaseValue]) -> Int? {
    guard !values.contains(where: \.isNull) else { return nil }
    let key = comparable(values)
    if let known = exactPosition(of: key) { return known }
    if key.count == 1, case .int64(let integer) = key[0].storage {
      integers[integer] = count
    } else {
      others[key] = count
    }
    self.values += values
    count += 1
    return count - 1
  }

  /// Returns the position of the key that a row with these values belongs to.
  func position(of values: [DatabaseValue]) -> Int? {
    let key = comparable(values)
    // A column of text holds the number of the key as text, and the other way round.
    return exactPosition(of: key) ?? exactPosition(of: key.map(\.convertedToNumber))
      ?? exactPosition(of: key.map(\.convertedToText))
  }

  /// Returns the position of a key that is one integer.
  func position(of key: Int64) -> Int? { integers[key] }

  private func exactPosition(of key: [DatabaseValue]) -> Int? {
    if key.count == 1, case .int64(let integer) = key[0].storage { return integers[integer] }
    return others[key]
  }

  /// Returns values that are equal here if they are equal in SQL.
  private func comparable(_ values: [DatabaseValue]) -> [DatabaseValue] {
    zip(values, collations).map { $0.normalized($1) }
  }

  static func == (left: PrefetchKeys, right: PrefetchKeys) -> Bool {
    left.values == right.values && left.collations == right.collations
  }

  func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

extension DatabaseValue {
  /// The value that represents all equal values.
  fileprivate func normalized(_ collation: KeyCollation) -> DatabaseValue {
    switch storage {
    case .double(let value):
      return Int64(exactly: value)?.databaseValue ?? self
    case .string(let text) where collation == .nocase:
      return text.asciiLowercased.databaseValue
    case .string(let text) where collation == .rtrim && text.hasSuffix(" "):
      let end = text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex
      return String(text[..<end]).databaseValue
    case .null, .int64, .string, .blob:
      return self
    }
  }

  fileprivate var convertedToNumber: DatabaseValue {
    guard case .string(let text) = storage, let number = Double(text) else { return self }
    return (Int64(text) ?? Int64(exactly: number))?.databaseValue ?? number.databaseValue
  }

  fileprivate var convertedToText: DatabaseValue {
    switch storage {
    case .int64(let value): String(value).databaseValue
    case .double(let value): String(value).databaseValue
    case .null, .string, .blob: self
    }
  }
}

/// How a column compares strings, as far as keys are compared outside of SQLite.
enum KeyCollation: Hashable, Sendable {
  case binary
  case nocase
  case rtrim

  /// The name that SQLite gives to the collation; other ones compare as `BINARY`.
  init(_ name: String?) {
    switch name?.asciiLowercased {
    case "nocase": self = .nocase
    case "rtrim": self = .rtrim
    default: self = .binary
    }
  }
}

extension Database {
  /// Returns how a column of a table compares strings.
  func keyCollation(ofColumn column: String, in table: String) -> KeyCollation {
    var name: UnsafePointer<CChar>?
    // It fails for views and common table expressions, whose columns compare as `BINARY` here.
    // https://www.sqlite.org/c3ref/table_column_metadata.html
    let code = sqlite3_table_column_metadata(
      sqliteConnection,
      nil,
      table,
      column,
      nil,
      &name,
      nil,
      nil,
      nil
    )
    return KeyCollation(code == SQLITE_OK ? name.map { String(cString: $0) } : nil)
  }
}
