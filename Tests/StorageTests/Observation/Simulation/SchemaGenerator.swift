import TestSupport

/// Generates the statements that create and change random schemas.
///
/// The first letter of a name gives the kind of table: `t` for tables, `f` for full-text indexes,
/// `r` for R-trees, `v` for views, `x` for tables of the attached file.
struct SchemaGenerator {
  private static let tableNames = (0..<6).map { "t\($0)" }
  /// From this size of a table on, triggers add nothing to it, and change nothing in it.
  private static let rowsOfTriggers = 40

  /// The statements that create a new database.
  static func creation(_ random: inout SeededGenerator) -> [String] {
    var statements = ["CREATE TABLE marker (n)", "INSERT INTO marker VALUES (0)"]
    for (index, name) in tableNames.prefix(random.number(in: 2..<5)).enumerated() {
      statements.append(table(name, earlier: Array(tableNames.prefix(index)), &random))
    }
    for name in tableNames.prefix(2) where random.chance(50) {
      statements.append("CREATE INDEX i\(name) ON \(name) (k, v)")
    }
    statements.append("CREATE VIEW v0 AS SELECT k, v FROM t0 WHERE k > 1")
    statements.append("CREATE VIRTUAL TABLE f0 USING fts5(s)")
    if random.chance(50) { statements += externalFullText("f1", content: "t0") }
    statements.append("CREATE VIRTUAL TABLE r0 USING rtree(id, x0, x1)")
    // Some tables of the attached file have the name of a table of the main file.
    for name in ["x0", "t0", "t1"] {
      statements.append(table("aux.\(name)", earlier: [], &random))
    }
    for name in tableNames.prefix(3) + ["aux.x0"] where random.chance(40) {
      statements += addedColumns(name, &random)
    }
    for number in 0..<random.number(in: 1..<4) {
      statements += trigger("g\(number)", tables: tableNames, &random).map { [$0] } ?? []
    }
    return statements
  }

  private static func table(
    _ name: String,
    earlier: [String],
    _ random: inout SeededGenerator
  ) -> String {
    // `t0` is the content of a full-text index, which needs a stable key.
    let kind =
      name == "t0"
      ? 0
      : random.pick(weighted: [0: 4, 1: 2, 2: 3])
    var columns = ["k INTEGER", "v INTEGER CHECK (v <> 13)", "s TEXT"]
    if random.chance(30) { columns.append("u INTEGER UNIQUE") }
    if random.chance(20) { columns.append("g INTEGER GENERATED ALWAYS AS (v * 2) VIRTUAL") }
    if random.chance(20) { columns.append("h INTEGER GENERATED ALWAYS AS (k + v) STORED") }
    if let parent = random.pick(earlier), random.chance(75) {
      let action = random.pick(["CASCADE", "SET NULL", "NO ACTION"])!
      let deferral = random.chance(70) ? " DEFERRABLE INITIALLY DEFERRED" : ""
      columns.append("p INTEGER REFERENCES \(parent) (id) ON DELETE \(action)\(deferral)")
    }
    let key =
      random.chance(20) && kind == 0
      ? "id INTEGER PRIMARY KEY AUTOINCREMENT" : "id INTEGER PRIMARY KEY"
    var constraint = ""
    switch kind {
    case 0: columns.append(key)
    case 1: break
    default:
      let (id, end) = random.pick([
        ("id INTEGER PRIMARY KEY", ""), ("id TEXT COLLATE NOCASE PRIMARY KEY", ""),
        ("id INTEGER", ", PRIMARY KEY (id DESC)"),
      ])!
      columns.append(id)
      constraint = end
    }
    let list = columns.shuffled(using: &random).joined(separator: ", ") + constraint
    return "CREATE TABLE \(name) (\(list))\(kind == 2 ? " WITHOUT ROWID" : "")"
  }

  /// Statements that add a column to a table with rows: the rows before it hold no value for it.
  private static func addedColumns(_ name: String, _ random: inout SeededGenerator) -> [String] {
    let rows = "(1, 1, 'before'), (2, 2, 'before'), (3, 3, 'before'), (4, 4, 'before')"
    let first = "INSERT INTO \(name) (k, v, s) VALUES \(rows)"
    let second = "INSERT INTO \(name) (k, v, s) VALUES (2, 2, 'after')"
    let column = random.pick([
      "c0 DEFAULT 5", "c0 TEXT DEFAULT 'none'", "c0", "c0 AS (k * 3) VIRTUAL",
      "c0 INTEGER NOT NULL DEFAULT 7",
    ])!
    return [first, "ALTER TABLE \(name) ADD COLUMN \(column)", second]
  }

  private static func externalFullText(_ name: String, content: String) -> [String] {
    let remove = "INSERT INTO \(name) (\(name), rowid, s) VALUES ('delete', old.id, old.s);"
    let add = "INSERT INTO \(name) (rowid, s) VALUES (new.id, new.s);"
    return [
      "CREATE VIRTUAL TABLE \(name) USING fts5(s, content='\(content)', content_rowid='id')",
      "CREATE TRIGGER \(name)_i AFTER INSERT ON \(content) BEGIN \(add) END",
      "CREATE TRIGGER \(name)_d AFTER DELETE ON \(content) BEGIN \(remove) END",
      "CREATE TRIGGER \(name)_u AFTER UPDATE ON \(content) BEGIN \(remove) \(add) END",
    ]
  }

  private static func trigger(
    _ name: String,
    tables: [String],
    _ random: inout SeededGenerator
  ) -> String? {
    guard let source = random.pick(tables), let target = random.pick(tables), source != target
    else { return nil }
    let event = random.pick(["INSERT", "UPDATE OF v", "DELETE"])!
    let row = event == "DELETE" ? "old" : "new"
    // Without a limit, triggers that call each other multiply the rows.
    let isSmall = "(SELECT count(*) FROM \(target)) < \(rowsOfTriggers)"
    let action = random.pick([
      "INSERT INTO \(target) (k, v, s) SELECT \(row).k, \(row).v, 'logged' WHERE \(isSmall);",
      "UPDATE \(target) SET v = \(row).v WHERE k = \(row).k AND \(isSmall);",
      "DELETE FROM \(target) WHERE k = \(row).k;",
    ])!
    return "CREATE TRIGGER \(name) AFTER \(event) ON \(source) BEGIN \(action) END"
  }

  /// A statement that changes the schema. It may fail.
  static func change(
    of schema: SimulatedSchema,
    _ number: Int,
    _ random: inout SeededGenerator
  ) -> String {
    let tables = schema.ordinaryTables.filter { $0.name != "t0" && $0.schema == "main" }
    guard let table = random.pick(tables) else {
      return Self.table("t1", earlier: ["t0"], &random)
    }
    let missing = tableNames.filter { schema.table(TableReference(name: $0)) == nil }
    switch random.number(in: 0..<15) {
    case 0: return "ALTER TABLE \(table.sql) ADD COLUMN c\(number) DEFAULT 5"
    case 1: return "ALTER TABLE \(table.sql) ADD COLUMN c\(number)"
    case 2:
      let added = table.columns.first { $0.hasPrefix("c") } ?? "s"
      return "ALTER TABLE \(table.sql) DROP COLUMN \(added)"
    case 3:
      let column = random.pick(table.writableColumns) ?? "v"
      let name = column.hasPrefix("v") || column == "n" ? "n" : "v"
      return "ALTER TABLE \(table.sql) RENAME COLUMN \(column) TO \(name)"
    case 4: return "ALTER TABLE \(table.sql) RENAME TO \(missing.first ?? "t9")"
    case 5: return "DROP TABLE \(table.sql)"
    case 6, 7: return Self.table(missing.first ?? "t5", earlier: ["t0", "t1"], &random)
    case 8: return "CREATE TABLE \(missing.first ?? "t5") AS SELECT * FROM \(table.sql)"
    case 9: return "CREATE INDEX IF NOT EXISTS i\(table.name) ON \(table.name) (v, k)"
    case 10: return "DROP INDEX IF EXISTS i\(table.name)"
    case 11:
      return schema.table("v1") == nil
        ? "CREATE VIEW v1 AS SELECT k, v FROM \(table.sql) WHERE k < 4" : "DROP VIEW v1"
    case 12:
      return trigger("g\(number % 4)", tables: tableNames, &random) ?? "DROP TRIGGER IF EXISTS g1"
    case 13: return "ALTER TABLE \(table.sql) ADD COLUMN c\(number) AS (k + 1) VIRTUAL"
    default: return "DROP TRIGGER IF EXISTS g\(number % 4)"
    }
  }
}
