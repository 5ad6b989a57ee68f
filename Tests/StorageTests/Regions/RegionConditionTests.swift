import Foundation
import Testing

@testable import Storage
@testable import StorageTestSupport

/// The values that the rows of a query have, as text: `ticket(agent)[agent=5]` means the rows of
/// one agent.
@Suite struct RegionConditionTests {
  private static let schema = """
    CREATE TABLE ticket (
      id INTEGER PRIMARY KEY, agent INTEGER, queue TEXT, code TEXT COLLATE NOCASE, weight REAL, tag,
      at INTEGER, day DATE, body TEXT, custom TEXT COLLATE localized,
      twice INTEGER AS (agent * 2), half INTEGER AS (agent / 2) STORED
    );
    CREATE INDEX ticket_agent ON ticket (agent, at);
    CREATE INDEX ticket_queue ON ticket (queue DESC);
    CREATE INDEX ticket_code ON ticket (code);
    CREATE INDEX ticket_weight ON ticket (weight);
    CREATE INDEX ticket_tag ON ticket (tag);
    CREATE INDEX ticket_day ON ticket (day);
    CREATE INDEX ticket_custom ON ticket (custom);
    CREATE INDEX ticket_twice ON ticket (twice);
    CREATE INDEX ticket_half ON ticket (half);
    CREATE INDEX ticket_sum ON ticket (agent + at);
    CREATE TABLE reply (id INTEGER PRIMARY KEY, ticket INTEGER, author INTEGER);
    CREATE INDEX reply_ticket ON reply (ticket);
    CREATE INDEX reply_author ON reply (author);
    CREATE TABLE other (id INTEGER PRIMARY KEY, word TEXT, size REAL);
    CREATE TABLE pair (a INTEGER, b INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID;
    CREATE TABLE bare (word TEXT, rowid TEXT)
    """

  struct Case: Sendable, CustomTestStringConvertible {
    let sql: String
    let arguments: StatementArguments
    /// The text behind the columns; `nil` if the query reads all rows.
    let values: [String]?
    var testDescription: String { sql }

    init(_ sql: String, _ arguments: StatementArguments = [], _ values: String...) {
      (self.sql, self.arguments, self.values) = (sql, arguments, values)
    }

    init(allRows sql: String, _ arguments: StatementArguments = []) {
      (self.sql, self.arguments, values) = (sql, arguments, nil)
    }
  }

  private func values(
    _ test: Case,
    table: String = "ticket",
    after change: String = ""
  ) throws -> [String]? {
    try withDatabase { db in
      db.add(collation: DatabaseCollation("localized") { $0.compare($1) })
      try db.execute(sql: "\(Self.schema); \(change)")
      let statement = try db.makeStatement(sql: test.sql)
      try statement.setArguments(test.arguments)
      let region = try statement.databaseRegion()
      let part = try #require(region.tables?[TableName(schema: "main", name: table)])
      return part.conditions.elements.map { $0.map(\.description).sorted() }
    }
  }

  static let equalities = [
    Case("SELECT id FROM ticket WHERE agent = 5", [], "agent=5"),
    Case("SELECT * FROM ticket WHERE agent = ?", [5], "agent=5"),
    Case("SELECT * FROM ticket WHERE agent = ?2", [1, 5], "agent=5"),
    Case("SELECT * FROM ticket WHERE agent = ? ORDER BY at DESC LIMIT 20", [5], "agent=5"),
    Case("SELECT * FROM ticket WHERE agent = ? ORDER BY at LIMIT 20", [5], "agent=5"),
    Case("SELECT body FROM ticket WHERE agent = ? AND at > ?", [5, 9], "agent=5"),
    Case("SELECT body FROM ticket WHERE agent = ? AND at BETWEEN ? AND ?", [5, 1, 9], "agent=5"),
    Case("SELECT body FROM ticket WHERE agent = ? AND at < ? LIMIT 3", [5, 9], "agent=5"),
    Case("SELECT count(*) FROM ticket WHERE agent = ?", [5], "agent=5"),
    Case("SELECT max(at) FROM ticket WHERE agent = ?", [5], "agent=5"),
    Case("SELECT at, count(*) FROM ticket WHERE agent = ? GROUP BY at", [5], "agent=5"),
    Case("SELECT body FROM ticket WHERE agent = ? AND body LIKE 'a%'", [5], "agent=5"),
    Case("SELECT body FROM ticket WHERE agent IN (3, 5, 7)", [], "agent=3", "agent=5", "agent=7"),
    Case("SELECT body FROM ticket WHERE agent IN (?, ?)", [3, 5], "agent=3", "agent=5"),
    Case("SELECT body FROM ticket WHERE agent IS ?", [5], "agent=5"),
    Case("SELECT body FROM ticket WHERE agent IS ?", [nil], "agent=NULL"),
    Case("SELECT body FROM ticket WHERE agent IS NULL", [], "agent=NULL"),
    Case("SELECT body FROM ticket WHERE queue = ?", ["new"], "queue='new'"),
    Case("SELECT body FROM ticket WHERE queue = 'it''s'", [], "queue='it''s'"),
    Case("SELECT body FROM ticket WHERE code = ?", ["Ab"], "code='ab'"),
    Case("SELECT body FROM ticket WHERE weight = ?", [1.5], "weight=1.5"),
    Case("SELECT body FROM ticket WHERE weight = ?", [2], "weight=2"),
    Case("SELECT body FROM ticket WHERE agent = ?", [5.0], "agent=5"),
    Case("SELECT body FROM ticket WHERE tag = ?", ["5"], "tag='5'"),
    Case("SELECT body FROM ticket WHERE tag = ?", [5], "tag=5"),
    Case("SELECT body FROM ticket WHERE day = ?", ["today"], "day='today'"),
    Case("SELECT body FROM ticket WHERE queue = ?", [5], "queue='5'"),
    Case("SELECT body FROM ticket WHERE half = ?", [5], "half=5"),
    Case("SELECT body FROM ticket WHERE twice = ?", [5], "twice=5"),
  ]

  @Test(arguments: equalities)
  func `rows found by the first column of an index have its value`(test: Case) throws {
    #expect(try values(test) == test.values)
  }

  static let tests = [
    Case("SELECT id FROM ticket WHERE at = 5 AND body = 'x'", [], "at=5"),
    // SQLite compares before it groups.
    Case("SELECT queue FROM ticket GROUP BY queue HAVING queue = 'x'", [], "queue='x'"),
    Case("SELECT id FROM ticket NOT INDEXED WHERE tag = 5 AND tag = agent", [], "tag=5"),
    Case("SELECT id FROM ticket WHERE body = ?", ["x"], "body='x'"),
    Case("SELECT id FROM ticket WHERE ? = body", ["x"], "body='x'"),
    Case("SELECT id FROM ticket WHERE body IS ?", ["x"], "body='x'"),
    Case("SELECT id FROM ticket WHERE body IS ?", [nil], "body=NULL"),
    Case("SELECT DISTINCT twice FROM ticket WHERE body IS NULL", [], "body=NULL"),
    Case("SELECT id FROM ticket NOT INDEXED WHERE agent IS NULL", [], "agent=NULL"),
    Case("SELECT id FROM ticket WHERE body ISNULL AND at = 5", [], "body=NULL"),
    Case("SELECT id FROM ticket WHERE body = ? ORDER BY queue", ["x"], "body='x'"),
    Case("SELECT id FROM ticket WHERE body = ? ORDER BY id DESC LIMIT 3", ["x"], "body='x'"),
    Case("SELECT count(*) FROM ticket WHERE body = ?", ["x"], "body='x'"),
    Case("SELECT queue, count(*) FROM ticket WHERE body = ? GROUP BY queue", ["x"], "body='x'"),
    Case("SELECT id FROM ticket WHERE id > 7 AND body = ?", ["x"], "body='x'"),
    Case("SELECT id FROM ticket WHERE at > 7 AND body = ?", ["x"], "body='x'"),
    Case("SELECT id FROM ticket WHERE agent > 7 AND body = ?", ["x"], "body='x'"),
    Case("SELECT id FROM ticket WHERE body = ? COLLATE NOCASE", ["X"], "body='x'"),
    Case("SELECT id FROM ticket NOT INDEXED WHERE code = ?", ["X"], "code='x'"),
    Case("SELECT id FROM ticket NOT INDEXED WHERE weight = ?", [2], "weight=2"),
    Case("SELECT id FROM ticket NOT INDEXED WHERE tag = ?", [2], "tag=2"),
    Case("SELECT id FROM ticket NOT INDEXED WHERE agent = ?", [2.0], "agent=2"),
    Case("SELECT id FROM ticket NOT INDEXED WHERE day = ?", ["today"], "day='today'"),
    Case("SELECT id FROM ticket NOT INDEXED WHERE half = ?", [5], "half=5"),
    Case(
      "SELECT r.id FROM ticket t JOIN reply r ON r.ticket = t.id WHERE t.body = ?",
      ["x"],
      "body='x'"
    ),
    Case("SELECT id FROM ticket WHERE at > ? AND NOT queue = 'y' AND body = 'x'", [5], "body='x'"),
  ]

  @Test(arguments: tests)
  func `rows that a loop compares with a value first have it`(test: Case) throws {
    #expect(try values(test) == test.values)
  }

  static let lists = [
    Case("SELECT id FROM ticket WHERE body IN ('x', 'y')", [], "body='x'", "body='y'"),
    Case(
      "SELECT id FROM ticket WHERE body IN ('x', ?, 'z')",
      ["y"],
      "body='x'",
      "body='y'",
      "body='z'"
    ),
    Case("SELECT id FROM ticket NOT INDEXED WHERE agent IN (1, ?)", [2], "agent=1", "agent=2"),
    Case("SELECT id FROM ticket WHERE at = 1 OR at = 2 OR at = 3", [], "at=1", "at=2", "at=3"),
    Case(
      "SELECT id FROM ticket NOT INDEXED WHERE code IN ('A', 'b', 'C')",
      [],
      "code='a'",
      "code='b'",
      "code='c'"
    ),
    Case(
      "SELECT count(*) FROM ticket WHERE body IN ('x', 'y', 'z') AND length(body) > 3 GROUP BY at",
      [],
      "body='x'",
      "body='y'",
      "body='z'"
    ),
  ]

  @Test(arguments: lists)
  func `rows that a loop looks up in a list first have its values`(test: Case) throws {
    #expect(try values(test) == test.values)
  }

  static let ranges = [
    Case("SELECT id FROM ticket WHERE agent > ?", [5], "agent>5"),
    Case("SELECT id FROM ticket WHERE agent >= 5", [], "agent>=5"),
    Case("SELECT id FROM ticket WHERE agent < ?", [5], "agent<5"),
    Case("SELECT id FROM ticket WHERE agent <= ?", [-5], "agent<=-5"),
    Case("SELECT id FROM ticket WHERE agent BETWEEN ? AND ?", [5, 9], "5<=agent<=9"),
    Case("SELECT id FROM ticket WHERE agent BETWEEN ? AND ?", [5, 5], "agent=5"),
    Case("SELECT id FROM ticket WHERE agent > 5 AND agent < 9", [], "5<agent<9"),
    Case("SELECT id FROM ticket WHERE agent > 5 AND agent <= 9 ORDER BY agent", [], "5<agent<=9"),
    Case(
      "SELECT id FROM ticket WHERE agent >= 5 AND agent < 9 ORDER BY agent DESC",
      [],
      "5<=agent<9"
    ),
    Case("SELECT id FROM ticket WHERE agent > ? ORDER BY agent DESC LIMIT 3", [5], "agent>5"),
    Case("SELECT id FROM ticket WHERE agent < ? ORDER BY agent DESC LIMIT 3", [5], "agent<5"),
    // The index descends.
    Case("SELECT id FROM ticket WHERE queue > ?", ["m"], "queue>'m'"),
    Case("SELECT id FROM ticket WHERE queue BETWEEN 'a' AND 'm'", [], "'a'<=queue<='m'"),
    Case("SELECT id FROM ticket WHERE queue < 'm' ORDER BY queue", [], "queue<'m'"),
    Case("SELECT id FROM ticket WHERE queue >= 'm' ORDER BY queue DESC", [], "queue>='m'"),
    Case("SELECT id FROM ticket WHERE code BETWEEN 'A' AND 'C'", [], "'a'<=code<='c'"),
    Case("SELECT id FROM ticket WHERE code LIKE 'aB%'", [], "'ab'<=code<'ac'"),
    Case("SELECT id FROM ticket WHERE queue GLOB 'ab*'", [], "'ab'<=queue<'ac'"),
    Case("SELECT id FROM ticket WHERE code LIKE ?", ["aB%"], "'ab'<=code<'ac'"),
    Case("SELECT id FROM ticket WHERE code LIKE ? AND body = at", ["a_c"], "'a'<=code<'b'"),
    Case("SELECT id FROM ticket WHERE queue GLOB ?", ["ab*"], "'ab'<=queue<'ac'"),
    Case("SELECT id FROM ticket WHERE queue GLOB :p AND agent < at", ["p": "x*"], "'x'<=queue<'y'"),
    Case("SELECT id FROM ticket WHERE agent = ? AND code LIKE ?", [5, "a%"], "agent=5"),
    Case(
      "SELECT id FROM ticket WHERE agent = ? OR queue GLOB ?",
      [5, "a*"],
      "'a'<=queue<'b'",
      "agent=5"
    ),
    Case(
      "SELECT r.id FROM ticket t JOIN reply r ON r.ticket = t.id WHERE t.code LIKE ?",
      ["a%"],
      "'a'<=code<'b'"
    ),
    Case("SELECT id FROM ticket WHERE weight > ?", [1.5], "weight>1.5"),
    Case("SELECT id FROM ticket WHERE tag BETWEEN ? AND ?", [1, "x"], "1<=tag<='x'"),
    Case("SELECT id FROM ticket WHERE half > ?", [5], "half>5"),
    Case("SELECT count(*) FROM ticket WHERE agent > ?", [5], "agent>5"),
    Case("SELECT max(agent) FROM ticket WHERE agent < ?", [5], "agent<5"),
    Case("SELECT at, count(*) FROM ticket WHERE agent < ? GROUP BY at", [5], "agent<5"),
    // Of two columns, the first one may be equal.
    Case("SELECT id FROM ticket WHERE (agent, at) > (?, ?)", [5, 6], "agent>=5"),
    Case("SELECT id FROM ticket WHERE (agent, at) < (?, ?)", [5, 6], "agent<=5"),
    Case("SELECT id FROM ticket WHERE id > ?", [5], "id>5"),
    // A table that is small, by the statistics, is read as a whole.
    Case("SELECT body FROM ticket WHERE +id > ?", [5], "id>5"),
    Case("SELECT body FROM ticket WHERE +id BETWEEN ? AND 9", [5], "5<=id<=9"),
    Case("SELECT body FROM ticket WHERE +id = ?", [5], "rowid=5"),
    Case("SELECT body FROM ticket WHERE +rowid IN (5, 6)", [], "rowid=5", "rowid=6"),
    Case("SELECT id FROM ticket WHERE id <= ?", [5], "id<=5"),
    Case("SELECT id FROM ticket WHERE id BETWEEN ? AND ?", [5, 9], "5<=id<=9"),
    Case("SELECT body FROM ticket WHERE id >= ? ORDER BY id DESC LIMIT 3", [5], "id>=5"),
    Case("SELECT body FROM ticket WHERE id < 9 AND id > 5 ORDER BY id DESC", [], "5<id<9"),
    Case("SELECT id FROM ticket WHERE at > ?", [5], "at>5"),
    Case("SELECT id FROM ticket WHERE ? < at", [5], "at>5"),
    Case("SELECT id FROM ticket WHERE at BETWEEN ? AND ?", [5, 9], "5<=at<=9"),
    Case("SELECT id FROM ticket WHERE NOT at >= ?", [5], "at<5"),
    Case("SELECT id FROM ticket WHERE NOT body > 'x' IS NOT TRUE", [], "body>'x'"),
    Case("SELECT id FROM ticket WHERE body > 'x' AND at >= 5 AND at < 9", [], "5<=at<9"),
    Case("SELECT id FROM ticket WHERE at AND body > 'x'", [], "body>'x'"),
    Case("SELECT id FROM ticket WHERE body IS NOT NULL AND body < 'x'", [], "body<'x'"),
    Case(
      "SELECT r.id FROM ticket t JOIN reply r ON r.ticket = t.id WHERE t.at > ?",
      [5],
      "at>5"
    ),
    Case(
      "SELECT r.id FROM reply r CROSS JOIN ticket t ON r.ticket = t.id WHERE t.at > ?",
      [5],
      "at>5"
    ),
    Case(
      "SELECT r.id, t.queue FROM reply r LEFT JOIN ticket t ON r.ticket = t.id AND t.at > ?",
      [5],
      "at>5"
    ),
    // A value excludes more.
    Case("SELECT id FROM ticket WHERE at > ? AND agent = ?", [5, 6], "agent=6"),
    Case("SELECT id FROM ticket WHERE agent > ? AND at = ?", [5, 6], "at=6"),
    // One bound is known.
    Case("SELECT id FROM ticket WHERE agent BETWEEN ? AND ?", [5, "9"], "agent>=5"),
    // No row meets it.
    Case("SELECT id FROM ticket WHERE at > NULL", [], "at IS NOT NULL"),
  ]

  @Test(arguments: ranges)
  func `rows of a range have its values`(test: Case) throws {
    #expect(try values(test) == test.values)
  }

  @Test func `the bounds of a real number that is rounded are wider`() throws {
    let found = try #require(try values(Case("SELECT id FROM ticket WHERE weight = 0.1")))
    #expect(found.count == 1 && found[0].contains("<=weight<="))
    let text = found[0].split(separator: "<=")
    #expect(try #require(Double(text[0])) < 0.1)
    #expect(try #require(Double(text[2])) > 0.1)
  }

  @Test(arguments: [
    ("SELECT b FROM pair WHERE a = 5", "a=5"), ("SELECT b FROM pair WHERE b = 5", "b=5"),
    ("SELECT b FROM pair WHERE a BETWEEN 5 AND 9", "5<=a<=9"),
    ("SELECT b FROM pair WHERE b > 5", "b>5"),
  ])
  func `tables without row ids have values too`(sql: String, value: String) throws {
    #expect(try values(Case(sql), table: "pair") == [value])
  }

  @Test func `in a file whose texts are not UTF-8, no bound is a text`() throws {
    try DatabaseQueue().writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA encoding = 'UTF-16'; CREATE TABLE t (a TEXT, b INTEGER)")
      #expect(try db.region(ofSQL: "SELECT * FROM t WHERE a > 'x'").description == "t(a,b)")
      #expect(try db.region(ofSQL: "SELECT * FROM t WHERE a = 'x'").description == "t(a,b)[a='x']")
      #expect(try db.region(ofSQL: "SELECT * FROM t WHERE b > 5").description == "t(a,b)[b>5]")
    }
  }

  static let rowIDs = [
    Case("SELECT word FROM bare WHERE oid > 5", [], "rowid>5"),
    Case("SELECT word FROM bare WHERE oid BETWEEN ? AND ?", [5, 9], "5<=rowid<=9"),
    Case("SELECT word FROM bare WHERE oid = ? OR oid > ?", [1, 5], "rowid=1", "rowid>5"),
    Case("SELECT word FROM bare WHERE oid = ? OR word = ?", [1, "x"], "rowid=1", "word='x'"),
    Case(
      "SELECT a.word FROM bare AS a, bare AS b WHERE a.oid = ? AND b.word = ?",
      [1, "x"],
      "rowid=1",
      "word='x'"
    ),
  ]

  @Test(arguments: rowIDs)
  func `a row id is the value of a column`(test: Case) throws {
    let index = "CREATE INDEX bare_word ON bare (word)"
    #expect(try values(test, table: "bare", after: index) == test.values)
  }

  @Test func `a row that is looked up is one of its id, and others are found by values`() throws {
    let sql = "SELECT body FROM ticket WHERE id = ? OR agent IN (?, 8)"
    #expect(try values(Case(sql, [3, 7])) == ["agent=7", "agent=8", "rowid=3"])
  }

  @Test func `each pattern has its own range`() throws {
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE t (a TEXT); CREATE INDEX t_a ON t (a)")
      let statement = try db.makeStatement(sql: "SELECT a FROM t WHERE a GLOB ?")
      for _ in 1...2 {
        for number in 0..<150 {
          try statement.setArguments(["\(number)*"])
          let region = try statement.databaseRegion().description
          let last = "\(number)".dropLast() + String(UnicodeScalar(UInt8(0x31 + number % 10)))
          #expect(region == "t(a)['\(number)'<=a<'\(last)']")
        }
      }
      try db.execute(sql: "DROP INDEX t_a")
      try statement.setArguments(["0*"])
      #expect(try statement.databaseRegion().description == "t(a)")
    }
  }

  static let places = [
    Case(
      "SELECT body FROM ticket WHERE agent = ? OR queue = ?",
      [5, "new"],
      "agent=5",
      "queue='new'"
    ),
    Case(
      "SELECT a.body FROM ticket AS a, ticket AS b WHERE a.agent = ? AND b.agent = ?",
      [5, 6],
      "agent=5",
      "agent=6"
    ),
    Case(
      "SELECT reply.id FROM ticket JOIN reply ON reply.ticket = ticket.id WHERE agent = ?",
      [5],
      "agent=5"
    ),
    Case("SELECT (SELECT max(at) FROM ticket WHERE agent = ?)", [5], "agent=5"),
    Case("WITH mine AS (SELECT * FROM ticket WHERE agent = ?) SELECT id FROM mine", [5], "agent=5"),
    Case(
      "SELECT id FROM ticket WHERE agent = 1 UNION SELECT id FROM ticket WHERE agent = 2",
      [],
      "agent=1",
      "agent=2"
    ),
  ]

  @Test(arguments: places)
  func `each place of a table has values of its own`(test: Case) throws {
    #expect(try values(test) == test.values)
  }

  static let allRows = [
    Case(allRows: "SELECT body FROM ticket"),
    Case(allRows: "SELECT body FROM ticket WHERE agent = ? OR body = ?", [5, "x"]),
    Case(allRows: "SELECT body FROM ticket WHERE agent = at"),
    Case(allRows: "SELECT body FROM ticket WHERE agent = abs(?)", [5]),
    Case(allRows: "SELECT body FROM ticket WHERE agent = (SELECT max(author) FROM reply)"),
    Case(allRows: "SELECT body FROM ticket WHERE agent IN (SELECT author FROM reply)"),
    Case(allRows: "SELECT body FROM ticket WHERE custom = ?", ["x"]),
    Case(allRows: "SELECT body FROM ticket WHERE agent + at = ?", [5]),
    Case(allRows: "SELECT a.body FROM ticket AS a, ticket AS b WHERE a.agent = ?", [5]),
    Case(
      allRows: "SELECT a.body FROM ticket AS a JOIN ticket AS b ON b.agent = a.at WHERE a.agent = 5"
    ),
    Case(allRows: "SELECT t.id FROM ticket t LEFT JOIN reply r ON r.ticket = t.id"),
    Case(allRows: "SELECT count(*), (SELECT count(*) FROM ticket WHERE agent = 5) FROM ticket"),
    // A register is used for two columns in turn.
    Case(allRows: "SELECT id FROM ticket NOT INDEXED WHERE agent = 1 OR at = 2"),
    Case(allRows: "SELECT id FROM ticket NOT INDEXED WHERE agent = 1 OR half = 2 OR at = 3"),
    Case(allRows: "SELECT id FROM ticket WHERE body = 'x' COLLATE NOCASE OR body = 'y'"),
    Case(allRows: "SELECT id FROM ticket NOT INDEXED WHERE agent IN (1, at)"),
    Case(allRows: "SELECT id FROM ticket NOT INDEXED WHERE (agent, at) IN ((1, 2), (3, 4))"),
    Case(allRows: "SELECT id FROM ticket NOT INDEXED WHERE (agent, at) > (1, 2)"),
    Case(allRows: "SELECT id FROM ticket WHERE agent > ? AND agent < abs(?)", [5, 9]),
    Case(allRows: "SELECT id FROM ticket WHERE NOT (body > 'x') IS TRUE"),
    Case(allRows: "SELECT id FROM ticket WHERE agent > at"),
    Case(allRows: "SELECT id FROM ticket WHERE agent > abs(?)", [5]),
    Case(allRows: "SELECT id FROM ticket WHERE agent > 5 OR at > 6"),
    Case(allRows: "SELECT id FROM ticket WHERE custom > 'x'"),
    Case(allRows: "SELECT id FROM ticket WHERE body GLOB ?", ["x*"]),
    Case(allRows: "SELECT id FROM ticket WHERE code LIKE ?", ["%x"]),
    Case(allRows: "SELECT id FROM ticket WHERE code LIKE ?", [""]),
    Case(allRows: "SELECT id FROM ticket WHERE code LIKE ?", [nil]),
    Case(allRows: "SELECT id FROM ticket WHERE queue LIKE ?", ["x%"]),
    Case(allRows: "SELECT id FROM ticket WHERE code LIKE ? OR at > abs(?)", ["x%", 5]),
    Case(allRows: "SELECT id FROM ticket WHERE code LIKE ? ESCAPE ?", ["x%", "#"]),
    Case(allRows: "SELECT id FROM ticket WHERE code NOT LIKE ?", ["x%"]),
    Case(allRows: "SELECT id FROM ticket WHERE id > ?", ["5"]),
    Case(allRows: "SELECT body FROM ticket WHERE +id > ?", ["5"]),
    Case(allRows: "SELECT body FROM ticket WHERE +id = ?", [5.0]),
    Case(allRows: "SELECT id FROM ticket WHERE id > ?", [5.5]),
    // The function may have an effect, such as an error.
    Case(allRows: "SELECT id FROM ticket WHERE abs(at) > 1 AND body > 'x'"),
    // NULL would be among the rows.
    Case(allRows: "SELECT id FROM ticket NOT INDEXED WHERE (at > 5) IS NOT FALSE"),
    Case(
      allRows: """
        SELECT r.id FROM reply r LEFT JOIN ticket t ON t.at = r.id WHERE t.body > 'x' OR r.id
        """
    ),
    // In doubt is how the bound is converted.
    Case(allRows: "SELECT body FROM ticket WHERE agent > ?", ["5"]),
    Case(allRows: "SELECT body FROM ticket WHERE weight > ?", [9_007_199_254_740_993]),
    // NULL is among the rows.
    Case(allRows: "SELECT id FROM ticket NOT INDEXED WHERE (agent <> 1) IS NOT TRUE OR agent = 2"),
    // A row that does not meet the condition keeps the join from adding a row of NULL.
    Case(
      allRows: "SELECT r.id FROM reply r LEFT JOIN ticket ON at = r.id WHERE body IS ?",
      [nil]
    ),
    Case(
      allRows: """
        SELECT r.id FROM reply r LEFT JOIN ticket NOT INDEXED ON at = r.id + 1 WHERE body IS ?
        """,
      [nil]
    ),
    Case(
      allRows: "SELECT r.id FROM reply r LEFT JOIN ticket ON agent = r.id WHERE body IS ?",
      [nil]
    ),
    // The column of another table converts the value first.
    Case(allRows: "SELECT ticket.id FROM other, ticket WHERE tag = word AND word = 5"),
    Case(
      allRows: "SELECT ticket.id FROM other, ticket WHERE agent = word AND word = ?",
      [0.1 + 0.2]
    ),
    Case(allRows: "SELECT ticket.id FROM other, ticket WHERE agent = size AND size = ?", [5]),
    Case(
      allRows: "SELECT t.id FROM ticket t NOT INDEXED, other WHERE tag = word AND word = ?",
      [5]
    ),
    Case(allRows: "SELECT body FROM ticket WHERE body <> 'x'"),
    Case(allRows: "SELECT body FROM ticket WHERE NOT body = 'x'"),
    Case(allRows: "SELECT body FROM ticket WHERE (body = 'x') IS NOT TRUE"),
    Case(allRows: "SELECT body FROM ticket WHERE body IS NOT 'x'"),
    Case(allRows: "SELECT body FROM ticket WHERE body = 'x' OR at = 3"),
    Case(allRows: "SELECT body FROM ticket WHERE CASE body WHEN 'x' THEN 1 ELSE at END"),
    Case(allRows: "SELECT queue FROM ticket GROUP BY queue HAVING max(at) = 5"),
    Case(allRows: "SELECT sum(body = 'x') FROM ticket"),
    Case(allRows: "SELECT body FROM ticket WHERE body = lower(?)", ["x"]),
    Case(allRows: "SELECT body FROM ticket WHERE body = queue"),
    Case(allRows: "SELECT body FROM ticket WHERE body = ? COLLATE localized", ["x"]),
    Case(allRows: "SELECT id FROM ticket NOT INDEXED WHERE tag = CAST(? AS TEXT)", ["5"]),
    Case(
      allRows: """
        SELECT r.id FROM reply r LEFT JOIN ticket t ON t.id = r.ticket
        WHERE t.body IS NULL OR t.body = 'x'
        """
    ),
    Case(
      allRows: "SELECT r.id FROM reply r LEFT JOIN ticket t ON t.id = r.ticket WHERE t.body IS ?",
      [nil]
    ),
    // Which values are equal is in doubt.
    Case(allRows: "SELECT body FROM ticket WHERE agent = ?", ["5"]),
    Case(allRows: "SELECT body FROM ticket WHERE day = ?", ["2026-11-26"]),
    Case(allRows: "SELECT body FROM ticket WHERE queue = ?", [1.5]),
    // SQLite binds it as NULL.
    Case(allRows: "SELECT body FROM ticket WHERE weight IS ?", [Double.nan]),
    Case(allRows: "SELECT body FROM ticket WHERE weight = ?", [9_007_199_254_740_993]),
  ]

  @Test(arguments: allRows)
  func `other queries read all rows`(test: Case) throws {
    #expect(try values(test) == nil)
  }

  @Test func `a table that an outer join adds is read by the values that lead to it`() throws {
    let sql = """
      SELECT t.id FROM ticket t LEFT JOIN reply r ON r.author = ? WHERE t.agent = ? AND r.id IS NULL
      """
    #expect(try values(Case(sql, [7, 5])) == ["agent=5"])
    #expect(try values(Case(sql, [7, 5]), table: "reply") == ["author=7"])
  }

  @Test func `more values than are kept stand for all rows`() {
    func part(_ numbers: Range<Int64>) -> DatabaseRegion.Table {
      let column = ConditionColumn(name: "agent", collation: .binary)
      let values = numbers.compactMap { ValueKey($0.databaseValue, .numeric, .binary) }
      return DatabaseRegion.Table(
        columns: .all,
        rowIDs: .all,
        values: .some(Set(values.map { SoughtValues(column: column, range: ValueRange($0)) }))
      )
    }
    #expect(part(0..<500).union(part(400..<1000)) == part(0..<1000))
    #expect(part(0..<500).union(part(500..<1001)).values.isAll)
  }
}
