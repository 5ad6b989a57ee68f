/// The name of a table, with its schema: `main`, `temp`, or an attached database.
///
/// As in SQLite, the case of ASCII letters does not matter: names are stored in lower case.
struct TableName: Hashable, Sendable {
  let schema: String
  let name: String

  init(schema: String, name: String) {
    self.schema = schema.asciiLowercased
    self.name = name.asciiLowercased
  }

  // Few tables of different databases have the same name.
  func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// Whether the table is one of SQLite's internal tables, whose row changes no hook reports.
  var isInternal: Bool { name.hasPrefix("sqlite_") }
}

extension TableName: CustomStringConvertible {
  var description: String { schema == "main" ? name : "\(schema).\(name)" }
}
