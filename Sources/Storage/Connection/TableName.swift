/// A table as a connection knows it: in `main`, in `temp`, or in an attached database.
///
/// SQLite compares names without the case of ASCII letters, and so does this: names are kept in
/// lower case.
struct TableName: Hashable, Sendable {
  let schema: String
  let name: String

  init(schema: String, name: String) {
    self.schema = schema.asciiLowercased
    self.name = name.asciiLowercased
  }

  /// Whether the table is one of SQLite's own, which report no changes of their rows.
  var isInternal: Bool { name.hasPrefix("sqlite_") }
}

extension TableName: CustomStringConvertible {
  var description: String { schema == "main" ? name : "\(schema).\(name)" }
}

extension String {
  /// The string with the ASCII letters in lower case and all other characters as they are: the form
  /// in which SQLite compares names.
  var asciiLowercased: String {
    guard utf8.contains(where: { $0 >= 65 && $0 <= 90 }) else { return self }
    return String(decoding: utf8.map { $0 >= 65 && $0 <= 90 ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// The string as a quoted SQL identifier, with quotes inside doubled.
  public var quotedDatabaseIdentifier: String {
    guard utf8.contains(UInt8(ascii: "\"")) else { return "\"\(self)\"" }
    // By scalars: in a `Character`, a quote can hide behind a combining mark.
    var quoted = "\""
    for scalar in unicodeScalars {
      quoted.unicodeScalars.append(scalar)
      if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
    }
    return quoted + "\""
  }
}
