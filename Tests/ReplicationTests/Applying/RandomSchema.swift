import Storage
import TestSupport

/// Writes random schemas, and statements that fit the schema of a database.
struct RandomSchema {
  /// A table, and the columns that statements may set.
  struct Table {
    let name: String
    let columns: [String]
  }

  var random: SeededGenerator
  private var count = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func newName(_ prefix: String) -> String {
    count += 1
    // Some names must be quoted.
    return prefix + "\(count)" + random.pick("", "", " x", "'q", "é")
  }

  // MARK: Definitions

  mutating func schema() -> String {
    var names: [String] = []
    var statements: [String] = []
    for _ in 0..<(2 + random.number(below: 4)) {
      let name = newName("t")
      statements.append(table(name, references: names))
      names.append(name)
    }
    if random.chance(30) { statements.append("CREATE VIRTUAL TABLE fts USING fts5(a, b)") }
    if random.chance(30) { statements.append("CREATE VIRTUAL TABLE box USING rtree(id, a, b)") }
    return statements.joined(separator: ";\n")
  }

  mutating func table(_ name: String, references others: [String]) -> String {
    let style = random.number(below: 6)
    var parts: [String] = []
    var options = ""
    switch style {
    case 0: parts.append("id INTEGER PRIMARY KEY")
    case 1: parts.append("id INTEGER PRIMARY KEY AUTOINCREMENT")
    case 2: parts.append("id \(random.pick("TEXT", "INT", "REAL")) PRIMARY KEY")
    default: break
    }
    for letter in ["a", "b", "c", "d"].prefix(2 + random.number(below: 3)) {
      parts.append(column(letter, references: others))
    }
    if random.chance(30) {
      parts.append("g AS (\(random.pick("a || b", "a + 1", "b"))) \(random.pick("", "STORED"))")
    }
    if random.chance(10) { parts.insert("v AS (b) VIRTUAL", at: 0) }
    switch style {
    case 3:
      parts.append("PRIMARY KEY (\(random.pick("a", "b, a", "a COLLATE NOCASE")))")
      options = " WITHOUT ROWID"
    case 4: parts.append("PRIMARY KEY (b, a)")
    default: break
    }
    if random.chance(20) {
      parts.append("UNIQUE (a, b) ON CONFLICT \(random.pick("REPLACE", "IGNORE", "FAIL", "ABORT"))")
    }
    return "CREATE TABLE \(name.quotedDatabaseIdentifier) (\(parts.joined(separator: ", ")))"
      + options
  }

  private mutating func column(_ name: String, references others: [String]) -> String {
    var text = name + " " + random.pick("", "INT", "INTEGER", "REAL", "TEXT", "BLOB", "NUMERIC")
    if random.chance(15) { text += " COLLATE NOCASE" }
    if random.chance(20) { text += " DEFAULT \(value())" }
    if random.chance(15) { text += " UNIQUE" }
    if random.chance(10) { text += " CHECK (\(name) IS NULL OR \(name) <> 4)" }
    if random.chance(15), let other = others.last {
      text +=
        " REFERENCES \(other.quotedDatabaseIdentifier) ON DELETE "
        + random.pick("CASCADE", "SET NULL", "NO ACTION DEFERRABLE INITIALLY DEFERRED")
    }
    return text
  }

  mutating func value() -> String {
    switch random.number(below: 9) {
    case 0: "NULL"
    case 1: "\(random.number(below: 9) - 4)"
    case 2: "-\(random.number(below: 90)).5"
    case 3: "'T\(random.number(below: 4))'"
    case 4: "'t\(random.number(below: 4))'"
    case 5: "x'0\(random.number(below: 9))ff'"
    case 6: random.pick("9007199254740993", "-9223372036854775808", "1e300", "''", "'12'", "3.0")
    default: "\(random.number(below: 6))"
    }
  }

  // MARK: Statements

  /// Reads the tables of a database.
  static func tables(_ db: Database) throws -> [Table] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT l.name, x.name AS "column" FROM pragma_table_list l,
          pragma_table_xinfo(l.name, 'main') x
        WHERE l.schema = 'main' AND l.type IN ('table', 'virtual') AND x.hidden = 0
          AND l.name NOT LIKE 'sqlite%' ORDER BY l.name, x.cid
        """
    )
    let columns = Dictionary(grouping: rows) { $0[0] as String }
    return columns.keys.sorted().map { name in
      Table(name: name, columns: columns[name]?.map { $0[1] } ?? [])
    }
  }

  /// Returns a statement; many of them fail.
  mutating func statement(for tables: [Table]) -> String {
    let table = random.pick(from: tables)
    let name = table.name.quotedDatabaseIdentifier
    let conflict = random.pick("", "", "OR REPLACE", "OR IGNORE", "OR FAIL", "OR ROLLBACK")
    let column = random.pick(from: table.columns).quotedDatabaseIdentifier
    switch random.number(below: 24) {
    case 0...6:
      let columns = table.columns.filter { _ in random.chance(80) }
      guard !columns.isEmpty else { return "INSERT \(conflict) INTO \(name) DEFAULT VALUES" }
      let list = columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
      let rows = (0...random.number(below: 3)).map { _ in
        "(" + columns.map { _ in value() }.joined(separator: ", ") + ")"
      }
      return "INSERT \(conflict) INTO \(name) (\(list)) VALUES \(rows.joined(separator: ", "))"
    case 7...10:
      return "UPDATE \(conflict) \(name) SET \(column) = \(value()) "
        + "WHERE \(random.pick(from: table.columns).quotedDatabaseIdentifier) >= \(value())"
    case 11: return "UPDATE \(conflict) \(name) SET \(column) = \(column) + 1"
    case 12: return "UPDATE \(name) SET rowid = rowid + 50 WHERE rowid = \(value())"
    case 13, 14:
      return "DELETE FROM \(name) WHERE \(column) IS \(value()) OR \(column) < \(value())"
    case 15: return random.pick("DELETE FROM \(name)", "REINDEX", "ANALYZE", "PRAGMA optimize")
    case 16:
      return "INSERT INTO \(name) (\(column)) SELECT \(column) FROM \(name) WHERE true "
        + "ON CONFLICT DO UPDATE SET \(column) = \(value())"
    case 17: return random.pick("SAVEPOINT s", "SAVEPOINT r")
    case 18: return random.pick("ROLLBACK TO s", "ROLLBACK TO r")
    case 19: return random.pick("RELEASE s", "RELEASE r")
    default: return migration(of: table, tables)
    }
  }

  private mutating func migration(of table: Table, _ tables: [Table]) -> String {
    let name = table.name.quotedDatabaseIdentifier
    let column = random.pick(from: table.columns).quotedDatabaseIdentifier
    switch random.number(below: 12) {
    case 0: return self.table(newName("n"), references: tables.map(\.name))
    case 1: return "ALTER TABLE \(name) ADD COLUMN \(self.column(newName("c"), references: []))"
    case 2:
      return
        "ALTER TABLE \(name) RENAME COLUMN \(column) TO \(newName("r").quotedDatabaseIdentifier)"
    case 3: return "ALTER TABLE \(name) DROP COLUMN \(column)"
    case 4: return "ALTER TABLE \(name) RENAME TO \(newName("m").quotedDatabaseIdentifier)"
    case 5 where tables.count > 2: return "DROP TABLE \(name)"
    case 6:
      return "CREATE \(random.pick("", "UNIQUE")) INDEX \(newName("i").quotedDatabaseIdentifier) "
        + "ON \(name) (\(column)\(random.pick("", " || 'x'", " DESC"))) "
        + random.pick("", "WHERE \(column) > 2")
    case 7:
      let other = random.pick(from: tables)
      let target = random.pick(from: other.columns).quotedDatabaseIdentifier
      let action =
        random.chance(50)
        ? "UPDATE \(other.name.quotedDatabaseIdentifier) SET \(target) = \(value())"
        : "DELETE FROM \(other.name.quotedDatabaseIdentifier) WHERE \(target) = new.\(column)"
      return "CREATE TRIGGER \(newName("g").quotedDatabaseIdentifier) AFTER "
        + "\(random.pick("INSERT", "UPDATE")) ON \(name) BEGIN \(action); END"
    case 8: return "CREATE TABLE \(newName("q").quotedDatabaseIdentifier) AS SELECT * FROM \(name)"
    case 9:
      return "CREATE VIEW \(newName("w").quotedDatabaseIdentifier) AS SELECT \(column) FROM \(name)"
    case 10: return "PRAGMA user_version = \(random.number(below: 9))"
    default:
      // A table that is rebuilt, as migrations do it.
      let copy = newName("z").quotedDatabaseIdentifier
      let list = table.columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
      return "CREATE TABLE \(copy) (\(list)); INSERT INTO \(copy) SELECT \(list) FROM \(name); "
        + "DROP TABLE \(name); ALTER TABLE \(copy) RENAME TO \(name)"
    }
  }
}
