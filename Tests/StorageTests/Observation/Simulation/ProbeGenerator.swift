import TestSupport

/// Generates random queries to observe.
struct ProbeGenerator {
  let schema: SimulatedSchema
  /// The tables to choose from, unless none of these tables exists.
  var preferred: [TableReference] = []

  func probe(_ random: inout SeededGenerator, depth: Int = 0) -> Probe {
    if depth == 0 {
      switch random.number(in: 0..<100) {
      case 0..<8:
        return Probe(all: (0..<random.number(in: 2..<4)).map { _ in probe(&random, depth: 1) })
      case 8..<18:
        return Probe(
          if: condition(&random),
          then: probe(&random, depth: 1),
          else: probe(&random, depth: 1)
        )
      default: break
      }
    }
    let ordinary = schema.ordinaryTables
    let candidates = ordinary.filter { preferred.contains($0.reference) }
    guard let table = random.pick(candidates.isEmpty ? ordinary : candidates) else {
      return Probe("SELECT name FROM sqlite_master", parts: nil)
    }
    switch random.number(in: -3..<27) {
    case -3...2 where random.chance(40): return ordered(table, &random)
    case -3...4 where table.kind != .withoutRowID: return lookUp(table, &random)
    case -3...8: return columns(table, &random)
    case 9, 10: return aggregate(table, &random)
    case 11...13: return join(table, random.pick(ordinary) ?? table, &random)
    case 14, 15: return view(&random)
    case 16, 17: return fullText(&random)
    case 18: return rtree(&random)
    case 19: return subquery(table, random.pick(ordinary) ?? table, &random)
    case 20:
      return random.pick([
        Probe("SELECT user_version FROM pragma_user_version", parts: nil),
        Probe("SELECT name, sql FROM sqlite_master WHERE name <> 'sqlite_stat1'", parts: nil),
        Probe("SELECT name FROM pragma_table_info('\(table.name)')", parts: nil),
        Probe("SELECT name, seq FROM main.sqlite_sequence", parts: nil),
        Probe("SELECT page_count FROM pragma_page_count", parts: nil),
        Probe("SELECT * FROM pragma_foreign_key_check", parts: nil),
      ])!
    case 21:
      // A table that may not exist yet.
      let name = "t\(random.number(in: 0..<6))"
      let names = ["main", "aux"].map { TableReference(schema: $0, name: name) }
      return Probe(
        "SELECT * FROM \(name)",
        parts: Dictionary(uniqueKeysWithValues: names.map { ($0, Probe.Part()) })
      )
    case 22...24: return associated(&random)
    default:
      return Probe("SELECT * FROM \(table.sql)", parts: whole([table]))
    }
  }

  /// A query whose result can be patched, if there is a table for it.
  func patchedProbe(_ random: inout SeededGenerator) -> Probe {
    let tables = schema.ordinaryTables.filter {
      $0.schema == "main" && $0.columns.contains("k")
    }
    guard let table = random.pick(tables) else { return probe(&random) }
    switch random.number(in: 0..<8) {
    case 0, 1: return number(of: table, &random)
    case 2: return columns(table, &random)
    case 3: return subquery(table, random.pick(tables) ?? table, &random)
    default: return ordered(table, &random)
    }
  }

  /// The table of the attached file that a table's name refers to once the table is dropped.
  private func namesake(_ table: SimulatedSchema.Table) -> [TableReference: Probe.Part] {
    table.schema == "main" && table.name != "t0"
      ? [TableReference(schema: "aux", name: table.name): Probe.Part()] : [:]
  }

  /// The most precise description of a read of some columns.
  private func part(
    _ table: SimulatedSchema.Table,
    _ columns: Set<String>,
    rows: Set<Int64>? = nil,
    condition: String? = nil
  ) -> [TableReference: Probe.Part] {
    let part = Probe.Part(
      columns: columns,
      rows: rows,
      key: rows.map { _ in table.key },
      condition: condition
    )
    return namesake(table).merging([table.reference: part]) { $1 }
  }

  private func whole(_ tables: [SimulatedSchema.Table]) -> [TableReference: Probe.Part] {
    tables.reduce(into: [:]) { parts, table in
      parts.merge(namesake(table)) { first, _ in first }
      parts[table.reference] = Probe.Part()
    }
  }

  private func condition(_ random: inout SeededGenerator) -> Probe {
    guard let table = random.pick(schema.ordinaryTables.filter({ $0.schema == "main" })) else {
      return Probe("SELECT 1", parts: [:])
    }
    return Probe("SELECT count(*) % 2 FROM \(table.sql)", parts: counted(table))
  }

  private func lookUp(
    _ table: SimulatedSchema.Table,
    _ random: inout SeededGenerator
  ) -> Probe {
    let column =
      random.chance(30) && table.columns.contains("v")
      ? "v" : random.pick(table.columns.filter { $0 != "id" }) ?? table.key
    let row = Int64(random.number(in: 1..<StatementGenerator.rows))
    let parts = part(table, [column, table.key], rows: [row])
    if random.chance(20) {
      let sql = "SELECT \(column) FROM \(table.sql) WHERE \(table.key) = \(row)"
      return Probe(sql, parts: parts)
    }
    let sql = "SELECT \(column) FROM \(table.sql) WHERE \(table.key) = ?"
    return Probe(sql, [row], parts: parts)
  }

  private func columns(
    _ table: SimulatedSchema.Table,
    _ random: inout SeededGenerator
  ) -> Probe {
    let column = random.pick(table.columns) ?? "k"
    let row = Int64(random.number(in: 0..<StatementGenerator.rows))
    let small = row % 6
    // The condition, the columns that it reads, and how much of it the library knows by values.
    let (condition, read, sought): (String, Set<String>, String?) = random.pick([
      ("1", [], nil),
      ("\(table.key) > \(row)", [table.key], "\(table.key) > \(row)"),
      (
        "\(table.key) BETWEEN \(row) AND \(row + 3)", [table.key],
        "\(table.key) BETWEEN \(row) AND \(row + 3)"
      ),
      ("k = \(small)", ["k"], "k = \(small)"),
      ("k > \(small)", ["k"], "k > \(small)"),
      ("k <= \(small)", ["k"], "k <= \(small)"),
      ("k BETWEEN \(small) AND \(small + 1)", ["k"], "k BETWEEN \(small) AND \(small + 1)"),
      ("k IS NULL", ["k"], "k IS NULL"),
      ("k IN (1, 2) AND v > 10", ["k", "v"], "k IN (1, 2)"),
      ("v < \(row) AND k = \(small)", ["k", "v"], "k = \(small)"),
      ("k IN (1, 2) OR v > \(row)", ["k", "v"], nil),
    ])!
    let distinct = random.chance(20) ? "DISTINCT " : ""
    let parts = part(
      table,
      read.union([column]),
      condition: knowsValues(of: table, read) ? sought : nil
    )
    let sql = "SELECT \(distinct)\(column) FROM \(table.sql) WHERE \(condition)"
    // The same query, with the numbers of its condition as arguments.
    let numbers = condition.split { !$0.isNumber }.compactMap { Int64($0) }
    guard random.chance(70), condition.first != "1", !condition.contains("IN (") else {
      return Probe(sql, parts: parts)
    }
    var withArguments = ""
    for piece in condition.split(separator: " ") {
      withArguments += Int64(piece) == nil ? " \(piece)" : " ?"
    }
    return Probe(
      "SELECT \(distinct)\(column) FROM \(table.sql) WHERE\(withArguments)",
      numbers,
      parts: parts
    )
  }

  /// Whether the library finds out which values changed rows have in the columns of a condition.
  private func knowsValues(of table: SimulatedSchema.Table, _ columns: Set<String>) -> Bool {
    // The texts of a key may be like numbers, and no column may hold the row ids.
    if columns.contains(table.key), table.kind != .keyed { return false }
    return !table.hidesValues && table.generated.isDisjoint(with: columns)
      && columns.subtracting([table.key]).isSubset(of: table.columns)
  }

  /// A query whose rows have an order, and perhaps a window.
  private func ordered(
    _ table: SimulatedSchema.Table,
    _ random: inout SeededGenerator
  ) -> Probe {
    let column = random.pick(table.columns) ?? "k"
    let term = random.pick(["k", "v", "s", "k % 3"])!
    let used = term == "k % 3" ? "k" : term
    guard table.columns.contains(used) else {
      return Probe("SELECT * FROM \(table.sql)", parts: whole([table]))
    }
    let row = Int64(random.number(in: 0..<StatementGenerator.rows))
    let small = row % 6
    let (condition, read, arguments, sought): (String, Set<String>, [Int64], String?) =
      random.pick([
        ("k = ?", ["k"], [small], "k = \(small)"),
        ("k >= ?", ["k"], [small], "k >= \(small)"),
        ("\(table.key) > ?", [table.key], [row], "\(table.key) > \(row)"),
        ("1", [], [], nil),
        ("k IN (1, 2) OR v > ?", ["k", "v"], [row], nil),
      ])!
    let direction = random.pick(["", " DESC", " DESC NULLS LAST", " COLLATE NOCASE"])!
    let end = random.pick(["", "", " LIMIT 3", " LIMIT 2 OFFSET 2", " LIMIT 40"])!
    // Without an index, the order of rows that are equal in the term is the same everywhere.
    let (source, ties) = random.pick([
      ("", ", \(table.key)"), ("", ", \(table.key) DESC"), (" NOT INDEXED", ""),
    ])!
    let sql = """
      SELECT \(column), \(table.key) AS "order" FROM \(table.sql)\(source) -- limit
      WHERE \(condition) ORDER BY \(term)\(direction)\(ties)\(end)
      """
    let columns = read.union([column, used, table.key])
    let form = random.pick([Probe.Form.rows, .rows, .first, .count])!
    let parts = part(table, columns, condition: knowsValues(of: table, read) ? sought : nil)
    return Probe(sql, arguments, parts: parts, isOrdered: true, form: form)
  }

  private func aggregate(
    _ table: SimulatedSchema.Table,
    _ random: inout SeededGenerator
  ) -> Probe {
    if random.chance(15) { return expression(table, &random) }
    if table.columns.contains("k"), random.chance(40) { return groups(of: table, &random) }
    let (expression, columns): (String, Set<String>) = random.pick([
      ("count(*)", []), ("sum(v)", ["v"]), ("max(v), min(k)", ["v", "k"]), ("count(s)", ["s"]),
    ])!
    guard columns.isEmpty, table.columns.contains("k"), random.chance(60) else {
      let parts = columns.isEmpty ? counted(table) : part(table, columns)
      return Probe("SELECT \(expression) FROM \(table.sql)", parts: parts)
    }
    return number(of: table, &random)
  }

  /// A query for groups of rows, or for several aggregates of all rows.
  private func groups(
    of table: SimulatedSchema.Table,
    _ random: inout SeededGenerator
  ) -> Probe {
    let (key, read): (String, Set<String>) = random.pick([
      ("k", ["k"]), ("k % 3", ["k"]), ("v", ["k", "v"]), ("s", ["k", "s"]), ("", ["k"]),
    ])!
    let (aggregates, columns): (String, Set<String>) = random.pick([
      ("count(*), sum(k)", []), ("max(v), count(v)", ["v"]), ("min(k), total(k)", []),
      ("avg(k), count(*)", []), ("sum(v), max(k)", ["v"]),
    ])!
    let isDistinct = !key.isEmpty && random.chance(20)
    let list = isDistinct ? "\(key), k" : "\(key.isEmpty ? "" : "\(key), ")\(aggregates)"
    // SQLite compiles such a subquery into the query around it, and reports that it reads all
    // columns.
    let isNested = random.chance(25)
    let source = isNested ? "(SELECT * FROM \(table.sql))" : table.sql
    var sql = "SELECT \(isDistinct ? "DISTINCT " : "")\(list) FROM \(source)"
    if random.chance(40) { sql += " WHERE k < 5" }
    var isOrdered = key.isEmpty
    if isDistinct {
      isOrdered = true
      sql += random.pick([" ORDER BY 1, 2", " ORDER BY 2 DESC, 1"])!
    } else if !key.isEmpty {
      sql += " GROUP BY \(key)"
      if random.chance(30) { sql += random.pick([" HAVING count(*) > 2", " HAVING sum(k) < 9"])! }
      isOrdered = random.chance(50)
      if isOrdered {
        sql += random.pick([" ORDER BY 2 DESC, 1", " ORDER BY 1", " ORDER BY 3, 1"])!
      }
    }
    if isOrdered, !key.isEmpty, random.chance(30) {
      sql += random.pick([" LIMIT 4", " LIMIT 3 OFFSET 1"])!
    }
    let all = isDistinct ? read.union(["k"]) : read.union(columns)
    let parts = isNested ? whole([table]) : part(table, all)
    return Probe(sql, parts: parts, isOrdered: isOrdered)
  }

  /// A query for the number of some rows, or for whether there are some.
  private func number(
    of table: SimulatedSchema.Table,
    _ random: inout SeededGenerator
  ) -> Probe {
    let rows = "FROM \(table.sql) WHERE k < ?"
    let sql = random.pick([
      "SELECT count(*) \(rows)", "SELECT EXISTS (SELECT k \(rows))",
      "SELECT NOT EXISTS (SELECT 1 \(rows) LIMIT 1) AS isEmpty",
      "SELECT count(*) > 2 \(rows)", "SELECT count(*) = 0 AS isEmpty \(rows)",
    ])!
    let limit = Int64(random.number(in: 0..<7))
    let condition = knowsValues(of: table, ["k"]) ? "k < \(limit)" : nil
    var probe = Probe(sql, [limit], parts: part(table, ["k"], condition: condition))
    probe.isNumber = true
    return probe
  }

  /// A query over a common table expression. No column of it is read.
  private func expression(
    _ table: SimulatedSchema.Table,
    _ random: inout SeededGenerator
  ) -> Probe {
    let column = random.pick(table.columns) ?? "k"
    let (sql, parts): (String, [TableReference: Probe.Part]) = random.pick([
      (
        """
        WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 3) \
        SELECT count(*) FROM s
        """, [:]
      ),
      ("SELECT EXISTS (WITH s AS (SELECT 1 WHERE 0) SELECT * FROM s)", [:]),
      (
        "WITH s AS MATERIALIZED (SELECT \(column) FROM \(table.sql)) SELECT count(*) FROM s",
        part(table, [column])
      ),
    ])!
    return Probe(sql, parts: parts)
  }

  /// The most precise description of a count of all rows.
  private func counted(_ table: SimulatedSchema.Table) -> [TableReference: Probe.Part] {
    var parts = part(table, [])
    parts[table.reference]?.isCounted = true
    return parts
  }

  private func join(
    _ left: SimulatedSchema.Table,
    _ right: SimulatedSchema.Table,
    _ random: inout SeededGenerator
  ) -> Probe {
    // SQLite does not report the columns of a join by name, so the whole tables count as read.
    let whole = whole([left, right])
    let sql = random.pick([
      "SELECT count(*) FROM \(left.sql) JOIN \(right.sql) USING (k)",
      "SELECT count(*) FROM \(left.sql) NATURAL JOIN \(right.sql)",
      "SELECT a.v, b.s FROM \(left.sql) a LEFT JOIN \(right.sql) b USING (k)",
      "SELECT a.v, b.v FROM \(left.sql) a JOIN \(right.sql) b ON b.\(right.key) = a.k",
      "SELECT a.s, b.* FROM \(left.sql) a LEFT JOIN \(right.sql) b ON b.\(right.key) = a.k",
      """
      SELECT a.v, b.s FROM \(right.sql) b, \(left.sql) a WHERE a.k = b.\(right.key) \
      ORDER BY b.v DESC, a.s
      """,
      """
      SELECT a.v, b.v, c.s FROM \(left.sql) a JOIN \(right.sql) b ON b.\(right.key) = a.k \
      LEFT JOIN \(right.sql) c ON c.\(right.key) = a.v ORDER BY a.s, b.v LIMIT 4
      """,
      """
      SELECT a.v, b.v, c.s, d.k FROM \(left.sql) a JOIN \(right.sql) b ON b.\(right.key) = a.k \
      JOIN \(left.sql) c ON c.\(left.key) = a.v LEFT JOIN \(right.sql) d ON d.\(right.key) = c.k \
      ORDER BY a.s DESC, c.v
      """,
      "SELECT v, s FROM \(left.sql) WHERE v > 1 UNION ALL SELECT k, s FROM \(right.sql)",
    ])!
    return Probe(sql, parts: whole)
  }

  private func associated(_ random: inout SeededGenerator) -> Probe {
    let tables = schema.ordinaryTables.filter { $0.schema == "main" }
    guard let parent = random.pick(tables), let child = random.pick(tables),
      let between = random.pick(tables)
    else { return Probe("SELECT 1", parts: [:]) }
    var query = AssociatedQuery(
      kind: random.pick([
        .all, .all, .limited(1), .limited(2), .through(between.name), .required, .optional,
      ])!,
      parent: parent,
      child: child,
      parentColumn: random.pick(parent.columns) ?? "k",
      childColumn: random.pick(child.columns) ?? "k"
    )
    if random.chance(60) { query.parentKey = parent.key }
    var all = [
      part(parent, [query.parentKey, query.parentColumn]),
      part(child, ["k", query.childColumn, child.key]),
    ]
    if case .through = query.kind { all.append(part(between, ["k"])) }
    return Probe(query, parts: Probe.union(all))
  }

  private func view(_ random: inout SeededGenerator) -> Probe {
    let name = random.pick(["v0", "v0", "v1"])!
    let sql = random.pick(["SELECT * FROM \(name)", "SELECT count(*) FROM \(name)"])!
    guard name == "v0", let table = schema.table("t0") else { return Probe(sql, parts: nil) }
    return Probe(sql, parts: part(table, ["k", "v"]))
  }

  private func fullText(_ random: inout SeededGenerator) -> Probe {
    let name = random.pick(["f0", "f1"])!
    // A word of the index, or the texts themselves.
    let sql = random.pick([
      "SELECT rowid, s FROM \(name) WHERE \(name) MATCH 'bee OR eel'",
      "SELECT count(*) FROM \(name) WHERE \(name) MATCH 'cat'",
      "SELECT s FROM \(name)",
    ])!
    // Each index reads its shadow tables; `f1` also reads its content.
    var parts = [TableReference(name: name): Probe.Part()]
    if name == "f1" { parts[SimulatedSchema.content] = Probe.Part() }
    return Probe(sql, parts: parts)
  }

  private func rtree(_ random: inout SeededGenerator) -> Probe {
    let sql = random.pick(["SELECT id, x0 FROM r0 WHERE x0 > 100", "SELECT count(*) FROM r0"])!
    return Probe(sql, parts: [TableReference(name: "r0"): Probe.Part()])
  }

  private func subquery(
    _ outer: SimulatedSchema.Table,
    _ inner: SimulatedSchema.Table,
    _ random: inout SeededGenerator
  ) -> Probe {
    let own = "a.\(outer.key)"
    let sql = random.pick([
      """
      WITH c AS (SELECT max(v) AS m FROM \(inner.sql)) \
      SELECT k, v FROM \(outer.sql) WHERE EXISTS (SELECT 1 FROM c WHERE m > \(outer.name).v) \
      UNION ALL SELECT 0, count(*) FROM \(inner.sql)
      """,
      "SELECT a.s, (SELECT count(*) FROM \(inner.sql) b WHERE b.k = \(own)) FROM \(outer.sql) a",
      """
      SELECT a.k, (SELECT max(b.v) FROM \(inner.sql) b WHERE b.k = \(own)) AS m \
      FROM \(outer.sql) a ORDER BY m DESC, a.v LIMIT 4
      """,
      """
      SELECT a.s FROM \(outer.sql) a \
      WHERE EXISTS (SELECT 1 FROM \(inner.sql) b WHERE b.k = \(own) AND b.v > 1)
      """,
      "SELECT a.s FROM \(outer.sql) a WHERE \(own) NOT IN (SELECT b.k FROM \(inner.sql) b)",
      """
      SELECT a.v, (SELECT b.s FROM \(inner.sql) b WHERE b.\(inner.key) = a.k) \
      FROM \(outer.sql) a ORDER BY a.v
      """,
      """
      SELECT count(*) FROM \(outer.sql) a \
      WHERE a.k IN (SELECT b.\(inner.key) FROM \(inner.sql) b WHERE b.v > 0)
      """,
    ])!
    return Probe(sql, parts: whole([outer, inner]))
  }
}
