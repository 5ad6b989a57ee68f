import Glibc
import Storage
import Testing

@testable import DemoCLI

/// `tail`, through a pipe.
@Suite struct TailCommandTests {
  private static let schema = """
    CREATE TABLE log (id INTEGER PRIMARY KEY, level INTEGER, text TEXT);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25)
    INSERT INTO log SELECT i, i % 5, 'line ' || i FROM n;
    """

  @Test func `the last ten rows are followed by each new row`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool("tail", file.path, "log")
    for id in 16...25 {
      let line = #"{"id":\#(id),"level":\#(id % 5),"text":"line \#(id)"}"#
      #expect(try await tool.nextLine() == line)
    }
    try await file.execute("INSERT INTO log VALUES (26, 1, 'a'), (28, 2, 'b')")
    #expect(try await tool.nextLine() == #"{"id":26,"level":1,"text":"a"}"#)
    #expect(try await tool.nextLine() == #"{"id":28,"level":2,"text":"b"}"#)
    // Neither an updated row nor one in a gap is at the end.
    try await file.execute("UPDATE log SET text = 'x'; INSERT INTO log VALUES (27, 1, 'c')")
    try await file.execute("INSERT INTO log VALUES (29, 1, 'd')")
    #expect(try await tool.nextLine() == #"{"id":29,"level":1,"text":"d"}"#)
    tool.send(SIGINT)
    #expect(try await tool.exitCode() == 0)
    #expect(tool.errorText.isEmpty)
  }

  @Test func `with --since the rows after a row id come, of which --count ends the tail`()
    async throws
  {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool(
      arguments: ["tail", file.path, "log", "--since", "3", "--count", "2", "--columns", "text"]
    )
    #expect(try await tool.exitCode() == 0)
    #expect(tool.outputText == "{\"text\":\"line 4\"}\n{\"text\":\"line 5\"}\n")
  }

  @Test func `a condition also holds for the ten rows at the start`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool(
      arguments: ["tail", file.path, "log", "--where", "level = 4", "--format", "csv"]
    )
    for line in ["id,level,text"] + [4, 9, 14, 19, 24].map({ "\($0),4,line \($0)" }) {
      #expect(try await tool.nextLine() == line + "\r")
    }
    try await file.execute("INSERT INTO log VALUES (30, 0, 'a'), (31, 4, 'b')")
    #expect(try await tool.nextLine() == "31,4,b\r")
  }

  @Test func `a row id that no column shows is the first column`() async throws {
    let file = try await TestFile("CREATE TABLE t (a); INSERT INTO t VALUES ('x'), ('y')")
    let tool = try RunningTool(arguments: ["tail", file.path, "t", "--since", "1", "--count", "1"])
    #expect(try await tool.exitCode() == 0)
    #expect(tool.outputText == "{\"rowid\":2,\"a\":\"y\"}\n")
  }

  @Test func `many rows come in parts, each row once`() async throws {
    let file = try await TestFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3500)
      INSERT INTO t SELECT i FROM n;
      """
    )
    let tool = try RunningTool(arguments: ["tail", file.path, "t", "--since", "0"])
    try await tool.wait("all rows") { $0.outputText.hasSuffix("{\"id\":3500}\n") }
    try await file.execute("INSERT INTO t VALUES (3501)")
    try await tool.wait("the new row") { $0.outputText.hasSuffix("{\"id\":3501}\n") }
    #expect(tool.outputText.split(separator: "\n").count == 3501)
  }

  @Test func `a row with the id of a deleted last row is a new one`() async throws {
    let file = try await TestFile(Self.schema)
    let pool = try DatabasePool(path: file.path)
    var reader = TailReader(table: WatchedTable(name: "log"), pool: pool, since: 24)
    func next() throws -> [DatabaseValue] { try reader.next().rows.map { $0[0] } }
    #expect(try next() == [25.databaseValue])
    try await file.execute("DELETE FROM log WHERE id = 25")
    #expect(try next() == [])
    try await file.execute("INSERT INTO log VALUES (25, 1, 'again')")
    #expect(try next() == [25.databaseValue])
    try await file.execute("DELETE FROM log")
    #expect(try next() == [])
    try await file.execute("INSERT INTO log VALUES (1, 1, 'first')")
    #expect(try next() == [1.databaseValue])
    #expect(try next() == [])
    // A row id that the table has not reached is waited for.
    reader = TailReader(table: WatchedTable(name: "log"), pool: pool, since: 30)
    #expect(try next() == [])
    try await file.execute("INSERT INTO log VALUES (29, 1, 'before')")
    #expect(try next() == [])
    try await file.execute("INSERT INTO log VALUES (31, 1, 'after')")
    #expect(try next() == [31.databaseValue])
    // The row that the reader has skipped to was there, so the reader does not wait for its id.
    reader = TailReader(table: WatchedTable(name: "log"), pool: pool, since: nil)
    try reader.skip(allBut: 1)
    try await file.execute("DELETE FROM log")
    #expect(try next() == [])
    try await file.execute("INSERT INTO log VALUES (2, 1, 'new')")
    #expect(try next() == [2.databaseValue])
    try pool.close()
  }

  @Test func `a table that a read has not found is a new one, whatever else fails before its rows`()
    async throws
  {
    let file = try await TestFile("CREATE TABLE t (id INTEGER PRIMARY KEY, level)")
    try await file.execute("INSERT INTO t VALUES (1, 1)")
    let pool = try DatabasePool(path: file.path)
    var table = WatchedTable(name: "t")
    table.options.condition = "level > 0"
    var reader = TailReader(table: table, pool: pool, since: 0)
    #expect(try reader.next().rows.count == 1)
    try await file.execute("DROP TABLE t")
    #expect(throws: (any Error).self) { _ = try reader.next() }
    #expect(reader.isMissing)
    try await file.execute("CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1), (2)")
    #expect(throws: (any Error).self) { _ = try reader.next() }
    #expect(!reader.isMissing)
    try await file.execute("ALTER TABLE t ADD COLUMN level DEFAULT 1")
    let page = try reader.next()
    #expect(page.isOfNewTable && page.rows.count == 2)
    try pool.close()
  }

  @Test func `a table that is made again has row ids in a column of its own, or no more`()
    async throws
  {
    let file = try await TestFile("CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
    let pool = try DatabasePool(path: file.path)
    let writer = try DatabaseQueue(path: file.path)
    var reader = TailReader(table: WatchedTable(name: "t"), pool: pool, since: nil)
    // The connection of the reader stays open.
    for (columns, shown) in [
      ("id INTEGER PRIMARY KEY, a", ["id", "a"]), ("id, a", ["rowid", "id", "a"]),
      ("a, key INTEGER PRIMARY KEY", ["a", "key"]),
    ] {
      try await writer.write { db in
        try db.execute(sql: "DROP TABLE t; CREATE TABLE t (\(columns))")
      }
      #expect(try reader.next().columns == shown)
    }
    try pool.close()
  }

  @Test func `the rows of a table that was dropped and made again are new ones`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool("tail", file.path, "log")
    for _ in 16...25 { _ = try await tool.nextLine() }
    try await file.execute(
      """
      BEGIN; DROP TABLE log; CREATE TABLE log (id INTEGER PRIMARY KEY, text TEXT);
      INSERT INTO log VALUES (1, 'a'), (2, 'b'); COMMIT
      """
    )
    #expect(try await tool.nextLine() == #"{"id":1,"text":"a"}"#)
    #expect(try await tool.nextLine() == #"{"id":2,"text":"b"}"#)
    // Another change of the schema makes no table new.
    try await file.execute("CREATE TABLE other (a); INSERT INTO log VALUES (3, 'c')")
    #expect(try await tool.nextLine() == #"{"id":3,"text":"c"}"#)
    try await file.execute("DROP TABLE log")
    try await tool.wait("the error") { $0.errorText.contains("no such table: log") }
    try await file.execute(
      """
      CREATE TABLE log (id INTEGER PRIMARY KEY, text TEXT);
      INSERT INTO log VALUES (1, 'd'), (4, 'e')
      """
    )
    #expect(try await tool.nextLine() == #"{"id":1,"text":"d"}"#)
    #expect(try await tool.nextLine() == #"{"id":4,"text":"e"}"#)
    tool.send(SIGTERM)
    #expect(try await tool.exitCode() == 0)
    let message = "wellspring: log was made again: its rows are printed from the first one on"
    #expect(tool.errorText.split(separator: "\n").filter { $0 == message }.count == 2)
  }

  @Test func `as a table, the names of the columns stand above the first rows`() async throws {
    let file = try await TestFile(
      """
      CREATE TABLE log (id INTEGER PRIMARY KEY, at TEXT, text TEXT);
      INSERT INTO log VALUES (1000020, '2026-11-27 23:40:46', 'a'), (1000021, '2026-11-27', NULL);
      """
    )
    let tool = try RunningTool("tail", file.path, "log", "--format", "table")
    #expect(try await tool.nextLine() == "     id  at                   text")
    #expect(try await tool.nextLine() == "1000020  2026-11-27 23:40:46  a")
    #expect(try await tool.nextLine() == "1000021  2026-11-27           NULL")
    try await file.execute("INSERT INTO log VALUES (1000022, '-', 'b')")
    #expect(try await tool.nextLine() == "1000022  -                    b")
  }

  @Test func `a table without row ids and a view have no tail`() async throws {
    let file = try await TestFile(
      "CREATE TABLE t (a PRIMARY KEY) WITHOUT ROWID; CREATE VIEW v AS SELECT 1"
    )
    for name in ["t", "v"] {
      try await RunningTool.expectFailure(
        ["tail", file.path, name],
        "\(file.path): \(name) has no row ids: only a table with row ids has a tail"
      )
    }
  }
}
