internal import CWellspringSQLite
internal import Storage

/// The tables of the main database in one version of its schema.
struct RecordedTables {
  private(set) var all: [RecordableTable] = []
  private var names: [ContiguousArray<CChar>] = []
  /// The version of the schema that has them; `nil` if they are unknown.
  private(set) var version: SchemaVersion?
  /// The names of tables that may have a sequence, in lower case.
  private(set) var withSequences: Set<String> = []
  /// The names of virtual tables, in lower case.
  private(set) var virtual: Set<String> = []
  /// The table of the last row.
  private var last: Int?

  /// Makes the next ``learn(_:_:)`` read the tables, whatever the version.
  mutating func forgetVersion() { version = nil }

  /// Reads the tables if the schema has another version.
  mutating func learn(_ db: Database, _ version: SchemaVersion) throws {
    guard self.version != version else { return }
    all = try RecordableTable.all(db)
    names = all.map(\.name.utf8CString)
    withSequences = Set(all.filter(\.mayHaveSequence).map(\.name.asciiLowercased))
    last = nil
    let virtual = try Row.fetchAll(
      db,
      sql: """
        SELECT lower(name) FROM main.sqlite_schema
        WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL%'
        """
    )
    self.virtual = Set(virtual.compactMap { $0.schemaText("lower(name)") })
    self.version = version
  }

  /// Returns the table of a name; `nil` if no table has it.
  func table(named name: String) -> RecordableTable? {
    let name = name.asciiLowercased
    return all.first { $0.name.asciiLowercased == name }
  }

  /// Returns the table of a row, inside the preupdate hook; `nil` if it is unknown.
  mutating func table(ofRowIn name: UnsafePointer<CChar>) -> RecordableTable? {
    if let last, isNamed(name, names[last]) { return all[last] }
    last = names.firstIndex { isNamed(name, $0) }
    return last.map { all[$0] }
  }

  private func isNamed(
    _ name: UnsafePointer<CChar>,
    _ known: borrowing ContiguousArray<CChar>
  ) -> Bool {
    known.withUnsafeBufferPointer { sqlite3_stricmp($0.baseAddress, name) == 0 }
  }
}
