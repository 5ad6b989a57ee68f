/// A table of the main database, as far as recording its rows and repeating them needs it.
package final class RecordableTable: Sendable {
  /// A column whose values are recorded.
  package struct Column: Sendable {
    package let name: String
    /// The place at which it is declared.
    let place: Int32
    /// The numbers of its values in the preupdate hook.
    let oldNumber: Int32
    let insertedNumber: Int32
    let updatedNumber: Int32
    /// Whether it has a default. In a row that was written before `ADD COLUMN`, the hook shows NULL
    /// instead of the default.
    let hasDefault: Bool
    let isReal: Bool
  }

  /// What the items say about the table.
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

  private init(
    name: String,
    _ declarations: [Declaration],
    isWithoutRowID: Bool,
    hasKeyIndex: Bool,
    mayHaveSequence: Bool
  ) {
    let lowercased = name.asciiLowercased
    isOwn = lowercased.hasPrefix(Self.ownPrefix)
    isSequenceTable = lowercased == "sqlite_sequence"
    isSchemaTable = ["sqlite_master", "sqlite_schema"].contains(lowercased)
    let stored = declarations.filter { $0.hidden != 2 }
    let keys = declarations.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }
    // Only with an index is such a column not another name for the row id: `DESC`, for example.
    let alias =
      !isWithoutRowID && keys.count == 1 && !hasKeyIndex
        && keys[0].type.asciiLowercased == "integer" ? keys[0] : nil
    let followsDeclaration = PreupdateNumbering.followsDeclaration
    var columns: [Column] = []
    var obstacle: String?
    for (index, column) in stored.enumerated()
    where column.hidden != 3 && column.place != alias?.place {
      let stored = followsDeclaration ? column.place : Int32(index)
      columns.append(
        Column(
          name: column.name,
          place: column.place,
          oldNumber: isWithoutRowID ? column.place : stored,
          insertedNumber: isWithoutRowID ? column.place : stored,
          updatedNumber: stored,
          hasDefault: column.hasDefault,
          isReal: ColumnAffinity(type: column.type) == .real
        )
      )
      // SQLite 3.40 mistakes the number of such a column for that of the key.
      if !followsDeclaration, let alias, alias.place == Int32(index) {
        obstacle = """
          the table \(name) has a virtual generated column before its key, so that SQLite does not \
          give the values of the column \(column.name)
          """
      }
    }
    let rowIDName =
      isWithoutRowID
      ? nil : alias?.name ?? RowIDName.free(of: declarations.map(\.name))
    if !isWithoutRowID, rowIDName == nil {
      obstacle = "no name is left for the row id of the table \(name)"
    }
    self.columns = columns
    key =
      isWithoutRowID
      ? keys.compactMap { key in columns.firstIndex { $0.place == key.place } } : []
    table = RecordedTable(name: name, columnCount: columns.count, keyCount: key.count)
    self.rowIDName = rowIDName
    declaresRowID = alias != nil
    self.mayHaveSequence = mayHaveSequence
    hasVirtualColumns = declarations.contains { $0.hidden == 2 }
    hasReal = declarations.contains { ColumnAffinity(type: $0.type) == .real }
    if isWithoutRowID, key.count != keys.count {
      obstacle = "the key of the table \(name) has a generated column"
    }
    self.obstacle = obstacle
  }
}

extension RecordableTable {
  fileprivate struct Declaration {
    let name: String
    let type: String
    let place: Int32
    let keyPosition: Int
    let hasDefault: Bool
    /// 2 for a virtual generated column, 3 for a stored one.
    let hidden: Int
  }

  /// Reads all tables of the main database, those behind virtual tables included.
  ///
  /// - Throws: ``DatabaseError``; ``RowDecodingError`` when the name of a table or of a column is
  ///   not valid UTF-8: other nodes could not find it.
  package static func all(_ db: Database) throws -> [RecordableTable] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT l.name AS "table", l.wr, x.cid, x.name, x.type, x.dflt_value, x.pk, x.hidden,
          (SELECT count(*) FROM pragma_index_list(l.name, 'main') WHERE origin = 'pk') AS indexes,
          (SELECT sql LIKE '%AUTOINCREMENT%' FROM main.sqlite_schema s
            WHERE s.type = 'table' AND s.name = l.name) AS sequence
        FROM pragma_table_list l, pragma_table_xinfo(l.name, 'main') x
        WHERE l.schema = 'main' AND l.type IN ('table', 'shadow')
        ORDER BY l.name, x.cid
        """
    )
    var tables: [RecordableTable] = []
    var start = 0
    while start < rows.count {
      let name = try rows[start].decode(String.self, forColumn: "table")
      let end = rows[start...].firstIndex { $0.schemaText("table") != name } ?? rows.count
      let declarations = try rows[start..<end].map { row in
        Declaration(
          name: try row.decode(forColumn: "name"),
          type: row.schemaText("type") ?? "",
          place: row["cid"],
          keyPosition: row["pk"],
          hasDefault: row["dflt_value"] as DatabaseValue != .null,
          hidden: row["hidden"]
        )
      }
      tables.append(
        RecordableTable(
          name: name,
          declarations,
          isWithoutRowID: rows[start]["wr"],
          hasKeyIndex: rows[start]["indexes"] as Int > 0,
          mayHaveSequence: rows[start]["sequence"] as Bool? ?? false
        )
      )
      start = end
    }
    return tables
  }
}
