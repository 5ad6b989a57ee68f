package import Storage

/// A table of the main database, as far as recording its rows and repeating them needs it.
package final class RecordableTable: Sendable {
  /// A column whose values are recorded.
  package struct Column: Sendable {
    package let name: String
    /// Its number in the declaration of the table.
    let ordinal: Int32
    /// The numbers of its values in the preupdate hook.
    let numbers: DeclaredTable.HookNumbers
    /// Whether it has a default. In a row that was written before `ADD COLUMN`, the hook shows NULL
    /// instead of the default.
    let hasDefault: Bool
    let isReal: Bool
  }

  /// The table as the recorded items name it.
  package let table: RecordedTable
  package let columns: [Column]
  /// The columns of the primary key of a table `WITHOUT ROWID`.
  package let key: [Int]
  /// A name of the row id, the declared one if there is one; `nil` for a table `WITHOUT ROWID`.
  package let rowIDName: String?
  /// Whether a column is declared that is another name for the row id.
  let declaresRowID: Bool
  /// Whether the table may have a row in `sqlite_sequence`.
  let mayHaveSequence: Bool
  /// Whether a column has the type REAL, a virtual one included.
  let hasReal: Bool
  /// Whether the table has columns without a value of their own in each row.
  let hasVirtualColumns: Bool
  /// Why rows of the table cannot be recorded; `nil` if they can.
  let obstacle: String?

  /// Whether the table belongs to the replication itself, and is not repeated.
  let isOwn: Bool
  /// Whether it is a table of SQLite that the recorder reads at the commit.
  let isSequenceTable: Bool
  let isSchemaTable: Bool

  package var name: String { table.name }

  /// The beginning of the names of tables that belong to the replication itself.
  static let ownPrefix = "_replication"

  private init(_ declared: DeclaredTable, named name: String, mayHaveSequence: Bool) {
    let lowercased = declared.name.name
    isOwn = lowercased.hasPrefix(Self.ownPrefix)
    isSequenceTable = lowercased == "sqlite_sequence"
    isSchemaTable = ["sqlite_master", "sqlite_schema"].contains(lowercased)
    let alias = declared.rowIDColumn
    var columns: [Column] = []
    var obstacle: String?
    for (index, column) in declared.storedColumns.enumerated()
    where column.kind != .stored && column.ordinal != alias?.ordinal {
      let numbers = declared.hookNumbers(ofStoredColumnAt: index, column)
      if numbers == nil {
        obstacle = """
          the table \(name) has a virtual generated column before its key, so that SQLite does not \
          give the values of the column \(column.name)
          """
      }
      columns.append(
        Column(
          name: column.name,
          ordinal: Int32(column.ordinal),
          numbers: numbers ?? .init(old: -1, inserted: -1, updated: -1),
          hasDefault: column.defaultSQL != nil,
          isReal: column.affinity == .real
        )
      )
    }
    rowIDName = declared.rowIDName
    if !declared.isWithoutRowID, rowIDName == nil {
      obstacle = "no name is left for the row id of the table \(name)"
    }
    self.columns = columns
    // The log has the columns as the declaration names them, each once.
    let keys = declared.isWithoutRowID ? declared.keyColumns : []
    key = keys.compactMap { key in columns.firstIndex { $0.ordinal == Int32(key.ordinal) } }
    table = RecordedTable(name: name, columnCount: columns.count, keyCount: key.count)
    declaresRowID = alias != nil
    self.mayHaveSequence = mayHaveSequence
    hasVirtualColumns = declared.columns.contains { $0.kind == .virtual }
    hasReal = declared.columns.contains { $0.affinity == .real }
    if key.count != keys.count {
      obstacle = "the key of the table \(name) has a generated column"
    }
    self.obstacle = obstacle
  }

  /// Reads all tables of the main database, those behind virtual tables included.
  ///
  /// - Throws: ``DatabaseError``; ``RowDecodingError`` when the name of a table or of a column is
  ///   not valid UTF-8: other nodes could not find it.
  package static func all(_ db: Database) throws -> [RecordableTable] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT name, (
          SELECT sql LIKE '%AUTOINCREMENT%' FROM main.sqlite_schema AS entry
            WHERE entry.type = 'table' AND entry.name = list.name
        ) AS sequence
        FROM pragma_table_list AS list
        WHERE schema = 'main' AND type IN ('table', 'shadow') ORDER BY name
        """
    )
    return try rows.map { row in
      let name = try row.decode(String.self, forColumn: "name")
      let declared = try db.declaredTable(TableName(schema: "main", name: name))
      for column in declared.columns { try column.checkName() }
      return RecordableTable(
        declared,
        named: name,
        mayHaveSequence: try row.decode(Bool?.self, forColumn: "sequence") ?? false
      )
    }
  }
}
