import TestSupport

@testable import Storage

/// Random queries over one table, and random changes of its rows.
struct RandomQueries {
  private var generator: SeededGenerator
  private var identities: Set<Int64> = []
  /// The primary key of a table without row ids; `nil` for a table with row ids.
  private var key: [String]?

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  /// Makes a table with columns of many kinds, indexes and rows.
  mutating func makeTable(_ db: Database) throws {
    let id = generator.pick(["id INTEGER PRIMARY KEY", "id"])!
    try makeTable(id: id, end: "", db)
    for id in Int64(0)..<Int64(generator.number(in: 0..<60)) { try insert(id, db) }
    if generator.chance(20) { try db.execute(sql: "ANALYZE") }
  }

  /// Makes such a table without row ids.
  mutating func makeKeyedTable(_ db: Database) throws {
    let keys = [
      ["id"], ["a"], ["b"], ["\"from\""], ["b COLLATE RTRIM"], ["a DESC", "n"], ["c", "a DESC"],
      ["b", "\"from\" DESC"], ["n DESC", "b COLLATE BINARY"], ["a COLLATE NOCASE"],
      ["\"from\" COLLATE NOCASE", "c", "id"],
    ]
    let key = generator.pick(keys)!
    self.key = key.map { String($0.prefix { $0 != " " }) }
    let end = ", PRIMARY KEY (\(key.joined(separator: ", "))) "
    try makeTable(id: generator.pick(["id", "id INT"])!, end: end, db)
    for _ in 0..<generator.number(in: 0..<60) { insertOrReplace(db) }
    if generator.chance(20) { try db.execute(sql: "ANALYZE") }
  }

  private mutating func makeTable(id: String, end: String, _ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE "the table" (
          \(id), a, b TEXT COLLATE NOCASE, c REAL, "from" COLLATE RTRIM, n INTEGER,
          g AS (n || 'x') VIRTUAL, s AS (n + 1) STORED\(end)
        )\(end.isEmpty ? "" : " WITHOUT ROWID")
        """
    )
    let indexes = ["a", "b DESC", "c, a DESC", "n, b", "g", "\"from\" COLLATE NOCASE", "s DESC"]
    for (number, columns) in indexes.enumerated() where generator.chance(25) {
      try db.execute(sql: "CREATE INDEX i\(number) ON \"the table\" (\(columns))")
    }
  }

  private var rowID: String { key == nil ? "rowid" : "id" }

  // MARK: Queries

  /// Returns a query and its arguments.
  mutating func query() -> (String, [DatabaseValue]) {
    var arguments: [DatabaseValue] = []
    var sql = generator.chance(20) ? "select -- from nowhere\n" : "SELECT "
    let lists = [
      "*", "a, b", "n", "id, a AS name, s", "upper(b), 'from x', \"from\"", "g, c, abs(n) AS m",
      "\(rowID), *", "t.*", "CASE WHEN n > 2 THEN a ELSE b END", "? AS p, a",
    ]
    let list = generator.pick(lists)!
    if list.hasPrefix("?") { arguments.append(value()) }
    sql += list + " FROM \"the table\""
    sql += generator.pick([" t", " AS t", " as \"t\"", " t NOT INDEXED"])!
    if generator.chance(60) { sql += " WHERE " + condition(&arguments) }
    if generator.chance(70) {
      let terms = (0...generator.number(in: 0..<2)).map { _ in orderTerm() }
      sql += " ORDER BY " + terms.joined(separator: ", ")
    }
    switch generator.number(in: 0..<5) {
    case 0: sql += " LIMIT \(generator.number(in: 0..<15))"
    case 1: sql += " LIMIT \(generator.number(in: 1..<9)) OFFSET \(generator.number(in: 0..<9))"
    default: break
    }
    return (sql, arguments)
  }

  /// Returns a query for the number of rows, or for whether there is one, and its arguments.
  mutating func numberQuery() -> (String, [DatabaseValue]) {
    var arguments: [DatabaseValue] = []
    let condition = generator.chance(85) ? " WHERE " + condition(&arguments) : ""
    let rows = "FROM \"the table\" t" + condition
    let list = generator.pick(["1", "*", "a, b AS n", "id"])!
    let sql = generator.pick([
      "SELECT count(*) \(rows)", "SELECT COUNT(*) AS \"from\" \(rows)",
      "SELECT count(1) \(rows)", "select /* from */ count (*) > 5 \(rows)",
      "SELECT EXISTS (SELECT \(list) \(rows))", "SELECT NOT EXISTS (SELECT \(list) \(rows)) AS n",
      "SELECT EXISTS (SELECT \(list) \(rows) LIMIT 1)", "SELECT count(*) = 0 n \(rows)",
    ])!
    return (sql, arguments)
  }

  private mutating func orderTerm() -> String {
    let terms = [
      "a", "b", "c", "\"from\"", "n", "g", "s", "1", "id", rowID, "n % 3", "length(b)",
      "b COLLATE BINARY", "\"from\" COLLATE NOCASE", "a COLLATE RTRIM", "a IS NULL",
    ]
    return generator.pick(terms)! + generator.pick(["", "", " ASC", " DESC", " DESC"])!
      + generator.pick(["", "", "", " NULLS FIRST", " NULLS LAST"])!
  }

  private mutating func condition(_ arguments: inout [DatabaseValue]) -> String {
    let conditions = [
      "n > 2", "a > ?", "b LIKE 'a%'", "b = 'AB'", "c BETWEEN 1 AND 3", "\"from\" = 'a'",
      "n IN (1, 2, 'x')", "n NOT IN (1, 2)", "a IS NULL", "a IS NOT NULL AND s < 4", "g > '2'",
      "(n > 1 OR b < 'b')", "NOT (c > 2)", "id > 10", "b = ' limit 3'", "n = ?",
      "id < 40 AND n < 4", "1", "n", "a = b", "c = n OR a = ?",
    ]
    let condition = generator.pick(conditions)!
    if condition.contains("?") { arguments.append(value()) }
    return condition
  }

  // MARK: Changes

  /// Changes rows, and returns the ids of the changed rows.
  mutating func transaction(_ db: Database) throws -> Set<Int64> {
    var changed: Set<Int64> = []
    for _ in 0..<(generator.chance(10) ? 12 : generator.number(in: 1..<4)) {
      let id = Int64(generator.number(in: 0..<70))
      changed.insert(id)
      switch generator.number(in: 0..<6) {
      case 0 where identities.count > 20: try remove(id, db)
      case 1 where identities.contains(id):
        let other = Int64(generator.number(in: 0..<70))
        changed.insert(other)
        try remove(other, db)
        if id != other { try move(id, to: other, db) }
      default: try insert(id, db)
      }
    }
    return changed
  }

  /// Changes rows of a table without row ids. Some statements fail.
  mutating func keyedTransaction(_ db: Database) throws {
    for _ in 0..<(generator.chance(10) ? 12 : generator.number(in: 1..<4)) {
      let column = generator.pick(["id", "a", "b", "c", "\"from\"", "n"])!
      let moved = generator.pick(key ?? [])!
      switch generator.number(in: 0..<12) {
      case 0...3: insertOrReplace(db)
      case 4: execute("DELETE FROM \"the table\" WHERE \(column) = ?", [value()], db)
      case 5:
        // Some rows, whatever they are.
        execute("DELETE FROM \"the table\" WHERE n = ? AND a > ?", [value(), value()], db)
      case 6:
        let sql = "UPDATE OR REPLACE \"the table\" SET \(moved) = ? WHERE \(column) = ?"
        execute(sql, [value(), value()], db)
      case 7:
        // Two rows change places.
        let (one, other) = (value(), value())
        let change = "CASE \(moved) WHEN ?1 THEN ?2 ELSE ?1 END"
        let sql =
          "UPDATE OR REPLACE \"the table\" SET \(moved) = \(change) WHERE \(moved) IN (?1, ?2)"
        execute(sql, [one, other], db)
      case 8:
        // A key that is equal under some collations.
        let form = generator.pick(["upper(\(moved))", "lower(\(moved))", "\(moved) || ' '"])!
        let sql = "UPDATE OR IGNORE \"the table\" SET \(moved) = \(form) WHERE \(column) = ?"
        execute(sql, [value()], db)
      case 9:
        let sql = """
          INSERT INTO "the table" (id, a, b, c, "from", n) VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET \(column) = excluded.\(column), n = n + 1
          """
        execute(sql, [value(), value(), value(), value(), value(), value()], db)
      default:
        let sql = "UPDATE OR IGNORE \"the table\" SET \(column) = ? WHERE \(moved) = ?"
        execute(sql, [value(), value()], db)
      }
    }
  }

  private mutating func insertOrReplace(_ db: Database) {
    let sql =
      "INSERT OR REPLACE INTO \"the table\" (id, a, b, c, \"from\", n) VALUES (?, ?, ?, ?, ?, ?)"
    execute(sql, [value(), value(), value(), value(), value(), value()], db)
  }

  private func execute(_ sql: String, _ values: [DatabaseValue], _ db: Database) {
    // A key is not NULL.
    try? db.execute(sql: sql, arguments: StatementArguments(values: values, namedValues: [:]))
  }

  private mutating func insert(_ id: Int64, _ db: Database) throws {
    identities.insert(id)
    if generator.chance(40) {
      let column = generator.pick(["a", "b", "c", "\"from\"", "n"])!
      try db.execute(
        sql: "UPDATE \"the table\" SET \(column) = ? WHERE _rowid_ = ?",
        arguments: StatementArguments(values: [value(), Self.value(id)], namedValues: [:])
      )
      if db.changesCount > 0 { return }
    }
    let values = [Self.value(id), value(), value(), value(), value(), value()]
    try db.execute(
      sql: """
        INSERT OR REPLACE INTO "the table" (_rowid_, a, b, c, "from", n) VALUES (?, ?, ?, ?, ?, ?)
        """,
      arguments: StatementArguments(values: values, namedValues: [:])
    )
  }

  private mutating func remove(_ id: Int64, _ db: Database) throws {
    identities.remove(id)
    try db.execute(sql: "DELETE FROM \"the table\" WHERE _rowid_ = \(id)")
  }

  private mutating func move(_ id: Int64, to other: Int64, _ db: Database) throws {
    identities.remove(id)
    identities.insert(other)
    try db.execute(sql: "UPDATE \"the table\" SET _rowid_ = \(other) WHERE _rowid_ = \(id)")
  }

  private static func value(_ integer: Int64) -> DatabaseValue {
    DatabaseValue(storage: .int64(integer))
  }

  /// Returns a value of any storage class. Equal values are frequent, and so are values that only
  /// some collations tell apart.
  private mutating func value() -> DatabaseValue {
    switch generator.number(in: 0..<10) {
    case 0: .null
    case 1...4: Self.value(Int64(generator.number(in: 0..<5)))
    case 5: DatabaseValue(storage: .double(Double(generator.number(in: 0..<8)) / 2))
    case 6: DatabaseValue(storage: .blob(.init([0x61, UInt8(generator.number(in: 0x61..<0x63))])))
    default:
      DatabaseValue(
        storage: .string(generator.pick(["a", "A", "a ", "ab", "AB", "b", "", "É", "2", "a%"])!)
      )
    }
  }
}
