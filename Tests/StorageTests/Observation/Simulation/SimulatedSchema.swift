/// The schema of the simulated database, read from the reference connection after each change.
struct SimulatedSchema {
  enum Kind: Hashable {
    /// A table whose column `id` is an alias of the row id.
    case keyed
    /// A table without a key: `rowid` identifies its rows.
    case rowID
    case withoutRowID
    case fullText
    /// A full-text index over the table of this name.
    case externalFullText
    case rtree
    case view
  }

  struct Table {
    let schema: String
    let name: String
    let kind: Kind
    /// The columns, including generated columns.
    let columns: [String]
    let generated: Set<String>
    let hasIndexes: Bool
    let hasDefaults: Bool
    /// Whether SQLite's hook cannot give the values of some column. That happens if virtual columns
    /// are declared before a stored column: its number in storage is then the number of the key.
    let hidesValues: Bool
    /// The tables that its foreign keys refer to.
    let parents: [String]

    var reference: TableReference { TableReference(schema: schema, name: name) }
    var sql: String { schema == "main" ? name : "\(schema).\(name)" }
    /// The column that identifies a row.
    var key: String { kind == .rowID || kind == .fullText ? "rowid" : "id" }
    /// The columns that can be written, except the key.
    var writableColumns: [String] { columns.filter { $0 != "id" && !generated.contains($0) } }
    var isVirtual: Bool { kind == .fullText || kind == .externalFullText || kind == .rtree }
    var isOrdinary: Bool { kind == .keyed || kind == .rowID || kind == .withoutRowID }
  }

  struct Entry {
    let schema: String
    let name: String
    let table: String
    let sql: String
  }

  /// The table that the full-text index `f1` reads.
  static let content = TableReference(name: "t0")

  private(set) var tables: [Table] = []
  private(set) var triggers: [Entry] = []
  private(set) var indexes: [Entry] = []

  var ordinaryTables: [Table] { tables.filter(\.isOrdinary) }

  /// The table that an unqualified name refers to.
  func table(_ name: String) -> Table? { tables.first { $0.name == name } }

  func table(_ reference: TableReference) -> Table? {
    tables.first { $0.reference == reference }
  }

  init() {}

  init(_ source: ReferenceConnection) throws {
    for schema in source.schemas {
      let found = try source.texts(
        "SELECT name, type, wr FROM pragma_table_list WHERE schema = '\(schema)' ORDER BY name"
      )
      for row in found
      where !row[0].hasPrefix("sqlite_") && row[0] != "marker" && row[1] != "shadow" {
        // A view may read a column that no longer exists.
        guard let table = try? Self.table(row[0], row[1], row[2] == "1", schema, source) else {
          continue
        }
        tables.append(table)
      }
      triggers += try Self.entries("trigger", schema, source)
      indexes += try Self.entries("index", schema, source)
    }
  }

  private static func table(
    _ name: String,
    _ type: String,
    _ isWithoutRowID: Bool,
    _ schema: String,
    _ source: ReferenceConnection
  ) throws -> Table {
    let columns = try source.texts(
      """
      SELECT name, hidden, dflt_value IS NOT NULL, pk
      FROM pragma_table_xinfo('\(name)', '\(schema)')
      WHERE name NOT IN ('\(name)', 'rank') ORDER BY cid
      """
    )
    let sql = try source.texts("SELECT sql FROM \(schema).sqlite_master WHERE name = '\(name)'")
      .joined().joined()
    let kind: Kind =
      switch type {
      case "view": .view
      case "virtual":
        sql.contains("rtree") ? .rtree : sql.contains("content=") ? .externalFullText : .fullText
      default:
        isWithoutRowID ? .withoutRowID : columns.contains { $0[3] != "0" } ? .keyed : .rowID
      }
    let indexes = try source.texts(
      "SELECT name FROM pragma_index_list('\(name)', '\(schema)') WHERE origin <> 'pk'"
    )
    let parents = try source.texts(
      "SELECT \"table\" FROM pragma_foreign_key_list('\(name)', '\(schema)')"
    )
    return Table(
      schema: schema,
      name: name,
      kind: kind,
      columns: columns.map { $0[0] },
      generated: Set(columns.filter { $0[1] != "0" }.map { $0[0] }),
      hasIndexes: !indexes.isEmpty,
      hasDefaults: columns.contains { $0[2] == "1" },
      hidesValues: kind == .keyed && columns.contains { $0[1] == "2" },
      parents: parents.joined().map { $0 }
    )
  }

  private static func entries(
    _ type: String,
    _ schema: String,
    _ source: ReferenceConnection
  ) throws -> [Entry] {
    try source.texts(
      """
      SELECT name, tbl_name, sql FROM \(schema).sqlite_master
      WHERE type = '\(type)' AND sql IS NOT NULL ORDER BY name
      """
    ).map { Entry(schema: schema, name: $0[0], table: $0[1], sql: $0[2]) }
  }

  /// The tables that a statement on `table` may change, including the tables that triggers and
  /// foreign keys change.
  func reach(of table: TableReference) -> Set<TableReference> { reachBeyond(table).union([table]) }

  /// The tables that triggers and foreign keys may change after a statement on `table`. `table`
  /// itself is included only if they change it too.
  func reachBeyond(_ table: TableReference) -> Set<TableReference> {
    var reached: Set<TableReference> = []
    var pending = [table]
    while let next = pending.popLast() {
      let children = tables.filter { $0.schema == next.schema && $0.parents.contains(next.name) }
      let fired = triggers.filter { $0.schema == next.schema && $0.table == next.name }
      let written = fired.flatMap { trigger in
        // SQLite quotes the new name of a renamed table.
        let sql = trigger.sql.split(separator: " BEGIN ").last?.filter { $0 != "\"" } ?? ""
        return tables.filter {
          $0.schema == next.schema
            && (sql.contains(" \($0.name) ") || sql.contains(" \($0.name)("))
        }
      }
      for found in (children + written).map(\.reference) where reached.insert(found).inserted {
        pending.append(found)
      }
    }
    return reached
  }
}

/// The name of a table, qualified by its schema.
struct TableReference: Hashable, Sendable {
  let schema: String
  let name: String

  init(schema: String = "main", name: String) {
    self.schema = schema
    self.name = name
  }
}
