/// The name of a table, with its schema: `main`, `temp`, or an attached database.
///
/// As in SQLite, the case of ASCII letters does not matter: names are stored in lower case.
package struct TableName: Hashable, Sendable {
  package let schema: String
  package let name: String

  package init(schema: String, name: String) {
    self.schema = schema.asciiLowercased
    self.name = name.asciiLowercased
  }

  // Few tables of different databases have the same name.
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// Whether the table is an internal table of SQLite. No hook reports changes of its rows.
  var isInternal: Bool { name.hasPrefix("sqlite_") }
}

extension TableName: CustomStringConvertible {
  package var description: String { schema == "main" ? name : "\(schema).\(name)" }
}

/// The name of a column.
///
/// As in SQLite, the case of ASCII letters does not matter: the name is stored in lower case.
struct ColumnName: Hashable, Sendable {
  let name: String

  init(_ name: String) {
    self.name = name.asciiLowercased
  }
}

extension ColumnName: Comparable {
  static func < (left: ColumnName, right: ColumnName) -> Bool { left.name < right.name }
}

extension ColumnName: ExpressibleByStringLiteral {
  init(stringLiteral name: String) { self.init(name) }
}

extension ColumnName: CustomStringConvertible {
  var description: String { name }
}

/// The names of the row id. A column with one of these names hides the row id under that name.
/// https://www.sqlite.org/lang_createtable.html#rowid
package enum RowIDName {
  package static let all = ["rowid", "_rowid_", "oid"]

  /// Returns a name that no column has; `nil` if the row id has no such name.
  package static func free(of columns: some Sequence<String>) -> String? {
    let names = Set(columns.map(\.asciiLowercased))
    return all.first { !names.contains($0) }
  }
}

extension String {
  /// The string with its ASCII letters in lower case and all other characters unchanged: the form
  /// in which SQLite compares names.
  // Some 300 places call it: a copy in each would be 80 KB of code.
  @inline(never)
  package var asciiLowercased: String {
    guard utf8.contains(where: { $0 >= 65 && $0 <= 90 }) else { return self }
    return String(decoding: utf8.map { $0 >= 65 && $0 <= 90 ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// Returns whether both strings are one name in SQLite, where the case of ASCII letters does not
  /// matter.
  func isSameName(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return zip(utf8, other.utf8).allSatisfy { byte, other in
      byte == other
        || byte ^ other == 0x20 && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
  }

  /// The string as a quoted SQL identifier, with inner quotes doubled.
  public var quotedDatabaseIdentifier: String {
    guard utf8.contains(UInt8(ascii: "\"")) else { return "\"\(self)\"" }
    return "\"\(replacingScalar("\"", with: "\"\""))\""
  }
}
