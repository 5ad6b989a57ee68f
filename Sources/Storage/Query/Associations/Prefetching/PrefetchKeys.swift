internal import CWellspringSQLite

/// The values of a foreign key in the rows of a request, each one once and without NULL.
///
/// SQLite finds the rows that belong to the keys, and this type finds the key of each of them. So
/// keys are equal here if they are equal in SQL: `1` and `1.0` are, and strings that the collation
/// of the column does not distinguish.
struct PrefetchKeys {
  /// The keys in the text of a statement.
  struct List: Hashable, Sendable {
    /// The number of columns.
    let width: Int
    /// The values, one row of the key after the other.
    fileprivate(set) var values: [DatabaseValue] = []
    fileprivate(set) var count = 0
    /// Whether each key is an integer.
    fileprivate(set) var isIntegers = true
  }

  private(set) var list: List
  /// How the columns compare strings.
  private let collations: [KeyCollation]
  /// The strings of the columns whose collations only SQLite knows; empty if there is no such
  /// column.
  private let texts: [CollatedTexts?]
  private var integers: [Int64: Int] = [:]
  private var others: [[DatabaseValue]: Int] = [:]

  init(_ prefetch: Prefetch, _ db: Database) {
    list = List(width: prefetch.columns.count)
    collations = prefetch.columns.map(\.collation)
    texts =
      collations.allSatisfy(\.isBuiltIn)
      ? []
      : prefetch.columns.map { column in
        column.collation.isBuiltIn ? nil : CollatedTexts(of: column, in: prefetch.table, db)
      }
  }

  var count: Int { list.count }

  /// Whether each key is an integer.
  var isIntegers: Bool { list.isIntegers }

  /// Adds a key, and returns its position; `nil` for a key with NULL, because no row belongs to it.
  ///
  /// - Throws: ``DatabaseError`` when SQLite cannot compare the key with the other ones.
  mutating func insert(_ values: [DatabaseValue]) throws -> Int? {
    guard !values.contains(where: \.isNull) else { return nil }
    let key = try comparable(values)
    if let known = exactPosition(of: key) { return known }
    if key.count == 1, case .int64(let integer) = key[0].storage {
      integers[integer] = count
    } else {
      others[key] = count
      list.isIntegers = false
    }
    list.values += values
    list.count += 1
    return count - 1
  }

  /// Returns the position of the key that a row with these values belongs to; `nil` for a row with
  /// NULL, which belongs to none: an aggregate of no rows is one.
  ///
  /// - Throws: ``DatabaseError`` when SQLite cannot compare the values with the keys, or with
  ///   `SQLITE_MISUSE` when no key is found: the row would be lost.
  func position(of values: [DatabaseValue]) throws -> Int? {
    guard !values.contains(where: \.isNull) else { return nil }
    let key = try comparable(values)
    // A column of text holds the number of the key as text, and the other way round.
    let position =
      exactPosition(of: key) ?? exactPosition(of: key.map(\.convertedToNumber))
      ?? exactPosition(of: key.map(\.convertedToText))
    if let position { return position }
    // The columns may differ in their types, or a text may write a number in another way.
    // The first one of several such keys, in the order of the parents.
    let known = others.filter { zip($0.key, key).allSatisfy { $0.isSameNumber(as: $1) } }
    if let first = known.values.min() { return first }
    throw DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: """
        an associated row was found by a key that SQLite compares in another way: store the same \
        values in the columns of the association, or use including(optional:)
        """
    )
  }

  /// Returns the position of a key that is one integer.
  func position(of key: Int64) -> Int? { integers[key] }

  private func exactPosition(of key: [DatabaseValue]) -> Int? {
    if key.count == 1, case .int64(let integer) = key[0].storage { return integers[integer] }
    return others[key]
  }

  /// Returns values that are equal here if they are equal in SQL.
  private func comparable(_ values: [DatabaseValue]) throws -> [DatabaseValue] {
    let key = zip(values, collations).map { $0.normalized($1) }
    guard !texts.isEmpty else { return key }
    return try zip(key, texts).map { value, texts in
      guard let texts, case .string(let text) = value.storage else { return value }
      return try texts.representative(of: text)
    }
  }
}

extension DatabaseValue {
  /// The value that represents all equal values.
  func normalized(_ collation: KeyCollation) -> DatabaseValue {
    switch storage {
    case .double(let value):
      return Int64(exactly: value)?.databaseValue ?? self
    case .string(let text) where collation == .nocase:
      return text.asciiLowercased.databaseValue
    case .string(let text) where collation == .rtrim && text.utf8.last == UInt8(ascii: " "):
      let end = text.utf8.lastIndex { $0 != UInt8(ascii: " ") }.map(text.utf8.index(after:))
      return String(text[..<(end ?? text.startIndex)]).databaseValue
    case .null, .int64, .string, .blob:
      return self
    }
  }

  fileprivate var convertedToNumber: DatabaseValue {
    guard case .string(let text) = storage else { return self }
    // SQLite ignores spaces on both sides, and tabs and other controls as C's `isspace` does.
    func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (9...13).contains(byte) }
    guard let first = text.utf8.firstIndex(where: { !isSpace($0) }),
      let last = text.utf8.lastIndex(where: { !isSpace($0) }),
      let number = Double(text[first...last])
    else { return self }
    return (Int64(text[first...last]) ?? Int64(exactly: number))?.databaseValue
      ?? number.databaseValue
  }

  /// Returns whether the values are equal, or one is a number and the other one its text.
  fileprivate func isSameNumber(as other: DatabaseValue) -> Bool {
    switch (storage, other.storage) {
    case (.string, .int64), (.string, .double), (.int64, .string), (.double, .string):
      convertedToNumber == other.convertedToNumber
    default: self == other
    }
  }

  fileprivate var convertedToText: DatabaseValue {
    switch storage {
    case .int64(let value): String(value).databaseValue
    case .double(let value): String(value).databaseValue
    case .null, .string, .blob: self
    }
  }
}
