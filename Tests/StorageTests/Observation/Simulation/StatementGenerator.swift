import TestSupport

/// Generates random statements that change rows. Some fail, some change nothing.
struct StatementGenerator {
  let schema: SimulatedSchema
  /// The tables in which a probe looks up rows.
  let lookedUp: [TableReference]
  /// The approximate maximum of rows in a table. Rows beyond it are deleted.
  static let rows = 9
  private static let words = ["ant", "bee", "cat", "dog", "eel"]

  /// A random statement on tables of the given schemas.
  ///
  /// `value` is a number that no earlier statement used, so that every state is unique.
  func statement(
    _ value: Int,
    schemas: Set<String>,
    _ random: inout SeededGenerator
  ) -> PlannedStatement {
    let tables = schema.tables.filter { schemas.contains($0.schema) && $0.kind != .view }
    guard let table = random.pick(tables) else {
      return PlannedStatement(sql: "PRAGMA user_version = \(value)", effect: .everything)
    }
    switch table.kind {
    case .fullText: return fullText(table, value, &random)
    case .externalFullText:
      let command = random.pick(["rebuild", "optimize", "integrity-check"])!
      return PlannedStatement(
        sql: "INSERT INTO \(table.name) (\(table.name)) VALUES ('\(command)')",
        effect: .rewrites(table.reference)
      )
    case .rtree: return rtree(table, value, &random)
    default:
      var statement = row(table, value, &random)
      if random.chance(20), !statement.sql.contains("RETURNING") { statement.sql += " RETURNING 1" }
      return statement
    }
  }

  /// Statements that change a few rows after so many other rows that the library stops keeping row
  /// ids.
  func bulk(
    _ value: Int,
    schemas: Set<String>,
    _ random: inout SeededGenerator
  ) -> [PlannedStatement] {
    let tables = schema.ordinaryTables.filter {
      $0.kind == .keyed && schemas.contains($0.schema)
    }
    let preferred = tables.filter { lookedUp.contains($0.reference) }
    guard let table = random.pick(preferred.isEmpty ? tables : preferred) else { return [] }
    return [
      """
      INSERT INTO \(table.sql) (id, v) WITH RECURSIVE c (n) AS \
      (SELECT 2000 UNION ALL SELECT n + 1 FROM c WHERE n < 3100) SELECT n, \(value) FROM c
      """,
      "UPDATE \(table.sql) SET v = \(value) WHERE id < 2000",
      "DELETE FROM \(table.sql) WHERE id >= 2000",
    ].map { PlannedStatement(sql: $0, effect: .rewrites(table.reference)) }
  }

  // MARK: Ordinary tables

  private func row(
    _ table: SimulatedSchema.Table,
    _ value: Int,
    _ random: inout SeededGenerator
  ) -> PlannedStatement {
    let name = table.sql
    let key = table.key
    let column = random.pick(table.writableColumns) ?? "v"
    let row = random.number(in: 1..<Self.rows)
    let some = condition(table, &random)
    /// For changes that the hooks report, and that a comparison of the rows before and after finds.
    func compared(_ sql: String) -> PlannedStatement {
      PlannedStatement(sql: sql, effect: .compared(table.reference))
    }
    /// For rows that may be deleted and inserted again, or overwritten with the values they have.
    func rewrites(_ sql: String) -> PlannedStatement {
      PlannedStatement(sql: sql, effect: .rewrites(table.reference))
    }
    // Where a column has a default, its value may differ from the NULL that the hooks show.
    func updates(_ sql: String) -> PlannedStatement {
      table.hasDefaults || table.hidesValues ? rewrites(sql) : compared(sql)
    }
    let new = newValue(of: column, value, &random)
    if table.hasDefaults, random.chance(35), let added = table.columns.first(where: isAdded) {
      return updates("UPDATE \(name) SET \(added) = NULL WHERE \(key) = \(row)")
    }
    switch random.number(in: 0..<23) {
    case 0...4: return compared(insertion("INSERT", table, value, &random))
    case 5: return compared(insertion("INSERT OR IGNORE", table, value, &random))
    case 6: return rewrites(insertion("REPLACE", table, value, &random))
    case 7...9: return updates("UPDATE \(name) SET \(column) = \(new) WHERE \(key) = \(row)")
    case 10: return updates("UPDATE \(name) SET \(column) = \(new) WHERE \(some)")
    case 11: return updates("UPDATE \(name) SET \(column) = \(column)")
    case 12:
      return rewrites("UPDATE OR REPLACE \(name) SET \(column) = \(new) WHERE \(key) < \(row)")
    case 13:
      let other = random.number(in: 1..<2 * Self.rows)
      return updates("UPDATE OR IGNORE \(name) SET \(key) = \(other) WHERE \(key) = \(row)")
    case 22:
      // To a key that a probe may look up.
      let other = random.number(in: 1..<Self.rows)
      return rewrites("UPDATE OR REPLACE \(name) SET \(key) = \(other) WHERE \(key) = \(row)")
    case 14, 15: return compared("DELETE FROM \(name) WHERE \(key) = \(row)")
    case 16: return compared("DELETE FROM \(name) WHERE \(some)")
    case 17: return compared("DELETE FROM \(name)\(random.chance(50) ? " WHERE 1" : "")")
    case 18: return compared("DELETE FROM \(name) WHERE \(key) > \(Self.rows)")
    case 19:
      guard let source = random.pick(schema.ordinaryTables) else { fallthrough }
      return compared("INSERT INTO \(name) (k, v, s) SELECT k, v, s FROM \(source.sql) LIMIT 3")
    case 20:
      guard table.kind == .keyed || table.kind == .withoutRowID else { fallthrough }
      return updates(
        """
        INSERT INTO \(name) (id, k, v) VALUES (\(row), 1, \(value)) \
        ON CONFLICT (id) DO UPDATE SET v = excluded.v
        """
      )
    default:
      return updates(
        """
        UPDATE \(name) SET v = \(value) FROM (SELECT k AS wanted FROM t0 LIMIT 1) \
        WHERE k = wanted RETURNING v
        """
      )
    }
  }

  /// Whether a column was added to its table later, perhaps with a default.
  private func isAdded(_ column: String) -> Bool { column.hasPrefix("c") }

  private func insertion(
    _ verb: String,
    _ table: SimulatedSchema.Table,
    _ value: Int,
    _ random: inout SeededGenerator
  ) -> String {
    var columns = table.writableColumns.filter { $0 != "rowid" && (random.chance(80) || $0 == "s") }
    var values = columns.map { newValue(of: $0, value, &random) }
    if table.kind == .withoutRowID || random.chance(70) {
      columns.append(table.key)
      values.append("\(random.number(in: 1..<Self.rows))")
    }
    return """
      \(verb) INTO \(table.sql) (\(columns.joined(separator: ", "))) \
      VALUES (\(values.joined(separator: ", ")))
      """
  }

  private func newValue(
    of column: String,
    _ value: Int,
    _ random: inout SeededGenerator
  ) -> String {
    switch column {
    case "k": "\(random.number(in: 0..<6))"
    case "u": random.chance(20) ? "NULL" : "\(random.number(in: 1..<Self.rows))"
    // Some refer to rows that do not exist.
    case "p":
      random.pick(weighted: [
        "NULL": 2, "1000": 2, "\(random.number(in: 1..<Self.rows))": 6,
      ])
    case "s": "'\(Self.words.randomElement(using: &random)!) \(value)'"
    // Columns that were added later. Some have a default.
    case _ where isAdded(column): random.chance(40) ? "NULL" : "\(value)"
    default: random.chance(5) ? "13" : random.chance(5) ? "NULL" : "\(value)"
    }
  }

  private func condition(
    _ table: SimulatedSchema.Table,
    _ random: inout SeededGenerator
  ) -> String {
    let row = random.number(in: 0..<Self.rows)
    return random.pick([
      "k = \(row % 6)", "k > \(row % 6)", "v % 3 = \(row % 3)", "s LIKE 'bee%'",
      "\(table.key) BETWEEN \(row) AND \(row + 2)", "\(table.key) = 1000",
    ])!
  }

  // MARK: Virtual tables

  private func fullText(
    _ table: SimulatedSchema.Table,
    _ value: Int,
    _ random: inout SeededGenerator
  ) -> PlannedStatement {
    let row = random.number(in: 1..<Self.rows)
    let text = newValue(of: "s", value, &random)
    let sql = random.pick([
      "REPLACE INTO \(table.name) (rowid, s) VALUES (\(row), \(text))",
      "INSERT INTO \(table.name) (s) VALUES (\(text))",
      "UPDATE \(table.name) SET s = \(text) WHERE rowid = \(row)",
      "DELETE FROM \(table.name) WHERE rowid >= \(row)",
      "DELETE FROM \(table.name) WHERE \(table.name) MATCH 'bee'",
      "INSERT INTO \(table.name) (\(table.name)) VALUES ('optimize')",
    ])!
    return PlannedStatement(sql: sql, effect: .rewrites(table.reference))
  }

  private func rtree(
    _ table: SimulatedSchema.Table,
    _ value: Int,
    _ random: inout SeededGenerator
  ) -> PlannedStatement {
    let row = random.number(in: 1..<Self.rows)
    let sql = random.pick([
      "REPLACE INTO \(table.name) VALUES (\(row), \(value), \(value + row))",
      "UPDATE \(table.name) SET x1 = \(value + row) WHERE id = \(row)",
      "DELETE FROM \(table.name) WHERE id = \(row)",
      "DELETE FROM \(table.name) WHERE x0 < \(value)",
    ])!
    return PlannedStatement(sql: sql, effect: .rewrites(table.reference))
  }
}
