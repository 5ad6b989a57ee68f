import Storage
import Testing

@testable import DemoCLI

/// The parts of a large table.
@Suite struct PaneFetchTests {
  private static let height = 10

  private func makeDatabase(_ schema: String) throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: schema) }
    return queue
  }

  /// Scrolls through all rows by different steps, down and up again, and expects the rows of `sql`.
  private func expectRows(
    _ queue: DatabaseQueue,
    _ table: String,
    view: PaneView = PaneView(),
    _ sql: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try queue.read { db in
      let all = try Row.fetchAll(db, sql: sql).map(\.databaseValues)
      var fetch = PaneFetch(query: .table(table))
      var view = view
      var row = 0
      for step in [0, 1, 7, 130, 2, 900, 1, 1400, 4000, -3, -800, -1, -2500, -1, 12_000, -11_000] {
        row = max(0, min(row + step, all.count - Self.height))
        view.firstRow = row
        let contents = try fetch.fetch(db, at: nil, view: view, height: Self.height)
        #expect(!contents.isWhole, sourceLocation: sourceLocation)
        #expect(contents.offset == row, sourceLocation: sourceLocation)
        #expect(
          Array(contents.result.rows) == Array(all[row..<(row + Self.height)]),
          "after \(step)",
          sourceLocation: sourceLocation
        )
      }
      view.isAtEnd = true
      let end = try fetch.fetch(db, at: nil, view: view, height: Self.height)
      #expect(
        end.result.rows.elementsEqual(all.suffix(Self.height)),
        sourceLocation: sourceLocation
      )
      #expect(end.isEnd, sourceLocation: sourceLocation)
    }
  }

  private static let schema = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, kind, name TEXT);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
    INSERT INTO item SELECT i * 3, nullif(i % 5, 3), 'name ' || (i * 7 % 13) FROM n;
    CREATE TABLE pair (b TEXT, a INTEGER, n INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID;
    INSERT INTO pair SELECT name, id % 700, min(id) FROM item GROUP BY name, id % 700;
    """

  @Test func `rows are found by their row ids, as they are found by their numbers`() throws {
    try expectRows(makeDatabase(Self.schema), "item", "SELECT * FROM item ORDER BY id")
  }

  @Test func `without row ids, rows are found by the primary key`() throws {
    try expectRows(makeDatabase(Self.schema), "pair", "SELECT * FROM pair ORDER BY a, b")
  }

  @Test(arguments: [false, true])
  func `sorted rows are found by the value and the key, with NULL as the smallest value`(
    isDescending: Bool
  ) throws {
    var view = PaneView()
    view.sort = PaneView.Sort(column: 1, name: "kind", isDescending: isDescending)
    let order = isDescending ? "DESC" : "ASC"
    try expectRows(
      makeDatabase(Self.schema),
      "item",
      view: view,
      "SELECT * FROM item ORDER BY kind \(order), id"
    )
  }

  @Test func `filtered rows are found in the same way`() throws {
    var view = PaneView()
    view.filter = "NAME 1"
    try expectRows(
      makeDatabase(Self.schema),
      "item",
      view: view,
      "SELECT * FROM item WHERE name LIKE '%name 1%' ORDER BY id"
    )
  }

  @Test func `rows of a view are found by their numbers`() throws {
    let view = "CREATE VIEW named AS SELECT name, id FROM item ORDER BY id DESC"
    try expectRows(makeDatabase(Self.schema + view), "named", "SELECT * FROM named")
  }

  @Test func `a part stays on its row, and its number follows`() throws {
    try makeDatabase(Self.schema).write { db in
      var fetch = PaneFetch(query: .table("item"))
      var view = PaneView()
      view.firstRow = 5000
      let before = try fetch.fetch(db, at: nil, view: view, height: Self.height)
      try db.execute(sql: "DELETE FROM item WHERE id < 1000")
      let after = try fetch.fetch(db, at: nil, view: view, height: Self.height)
      #expect(after.result == before.result)
      #expect(after.marked(since: before).allSatisfy { $0.mark == .unchanged })
    }
  }

  @Test(arguments: ["view", "sql", "order"])
  func `a part of a view, of SQL or of an order stays on its rows, too`(kind: String) throws {
    let sql = "SELECT name, id FROM item ORDER BY id DESC"
    var options = TableOptions()
    options.order = "id DESC"
    let query: WatchedQuery =
      switch kind {
      case "view": .table("named")
      case "sql": .sql(sql)
      default: .table("item", options)
      }
    try makeDatabase("\(Self.schema) CREATE VIEW named AS \(sql);").write { db in
      var fetch = PaneFetch(query: query)
      var view = PaneView()
      view.firstRow = 5000
      var expected = try fetch.fetch(db, at: nil, view: view, height: Self.height)
      for (row, change) in [
        (4990, "DELETE FROM item WHERE id > 60000 - 30"),
        (
          5090,
          """
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
          INSERT INTO item SELECT 70000 + i, 0, 'new' FROM n
          """
        ),
        (5090, "DELETE FROM item WHERE id < 300"),
      ] {
        try db.execute(sql: change)
        let after = try fetch.fetch(db, at: nil, view: view, height: Self.height)
        #expect(after.offset == row, "\(change)")
        #expect(after.result.rows.elementsEqual(expected.result.rows), "\(change)")
        (view.firstRow, expected) = (after.offset, after)
      }
      // Scrolled by rows that are on the screen, and beyond.
      var offset = 5090
      for step in [4, -300] {
        try db.execute(sql: "DELETE FROM item WHERE id = (SELECT max(id) FROM item)")
        view.firstRow = offset + step
        expected = try fetch.fetch(db, at: nil, view: view, height: Self.height)
        #expect(expected.offset == offset + step - 1)
        offset = expected.offset
        view.firstRow = offset
      }
      // The row at the top changes, and one above it is gone.
      let column = kind == "order" ? 0 : 1
      let top = try #require(Int.fromDatabaseValue(expected.result.rows[0][column]))
      try db.execute(
        sql: """
          UPDATE item SET name = 'x' WHERE id = \(top);
          DELETE FROM item WHERE id = (SELECT max(id) FROM item)
          """
      )
      let after = try fetch.fetch(db, at: nil, view: view, height: Self.height)
      #expect(after.offset == offset - 1)
      #expect(Int.fromDatabaseValue(after.result.rows[0][column]) == top)
      #expect(after.result.rows.dropFirst().elementsEqual(expected.result.rows.dropFirst()))
    }
  }

  @Test func `near the end of a view the rows stay, also while the count is an old one`() throws {
    let view = "CREATE VIEW newest AS SELECT id, name FROM item ORDER BY id DESC;"
    try makeDatabase(Self.schema + view).write { db in
      var fetch = PaneFetch(query: .table("newest"))
      var view = PaneView()
      view.firstRow = 20_000 - Self.height - 5
      let first = try fetch.fetch(db, at: nil, view: view, height: Self.height)
      for number in 1...40 {
        try db.execute(sql: "INSERT INTO item VALUES (70000 + \(number), 0, 'new')")
        let part = try fetch.fetch(db, at: nil, view: view, height: Self.height)
        view.firstRow = part.offset
        #expect(part.offset == first.offset + number)
        #expect(part.result.rows.elementsEqual(first.result.rows))
      }
    }
  }

  @Test func `where rows repeat, those that are found once say how the others have moved`() throws {
    try makeDatabase(Self.schema).write { db in
      for (sql, rows) in [
        ("SELECT kind FROM item ORDER BY id", 0), ("SELECT kind, id / 60 FROM item ORDER BY id", 0),
        ("SELECT kind, id / 3 / 2 FROM item ORDER BY id", 7),
      ] {
        var fetch = PaneFetch(query: .sql(sql))
        var view = PaneView()
        view.firstRow = 5000
        let before = try fetch.fetch(db, at: nil, view: view, height: Self.height)
        try db.execute(sql: "UPDATE item SET kind = 'other' WHERE id = 15003")
        try db.execute(
          sql: "DELETE FROM item WHERE id <= (SELECT min(id) FROM item) + 3 * \(rows - 1)"
        )
        let after = try fetch.fetch(db, at: nil, view: view, height: Self.height)
        #expect(after.offset == 5000 - rows, "\(sql)")
        #expect(after.result.rows.dropFirst().elementsEqual(before.result.rows.dropFirst()))
        try db.execute(sql: "UPDATE item SET kind = 4 WHERE id = 15003")
      }
    }
  }

  @Test func `a table can take the place of a view that is scrolled`() throws {
    let view = "CREATE VIEW named AS SELECT name, id FROM item ORDER BY id;"
    try makeDatabase(Self.schema + view).write { db in
      var fetch = PaneFetch(query: .table("named"))
      var view = PaneView()
      view.firstRow = 5000
      let before = try fetch.fetch(db, at: nil, view: view, height: Self.height)
      try db.execute(
        sql: """
          CREATE TABLE other (name TEXT, id INTEGER PRIMARY KEY);
          INSERT INTO other SELECT name, id FROM item;
          DROP VIEW named; ALTER TABLE other RENAME TO named
          """
      )
      let after = try fetch.fetch(db, at: nil, view: view, height: Self.height)
      #expect(after.result.rows.elementsEqual(before.result.rows))
    }
  }

  @Test func `new rows are followed past what is fetched as a whole, whatever else changes`() throws
  {
    try makeDatabase("CREATE TABLE log (id INTEGER PRIMARY KEY, text TEXT)").write { db in
      func add(_ count: Int) throws {
        for _ in 0..<count { try db.execute(sql: "INSERT INTO log (text) VALUES ('a')") }
      }
      try add(1995)
      var fetch = PaneFetch(query: .table("log"))
      _ = try fetch.fetch(db, at: nil, view: PaneView(), height: Self.height)
      try db.execute(sql: "UPDATE log SET text = 'b' WHERE id = 1000")
      try add(10)
      let large = try fetch.fetch(db, at: nil, view: PaneView(), height: Self.height)
      #expect(large.isEnd && large.result.rows.last?.first == 2005.databaseValue)
    }
  }

  @Test func `the end of a view is found without a new count, whatever comes and goes`() throws {
    let schema = "\(Self.schema) CREATE VIEW named AS SELECT name, id FROM item ORDER BY id;"
    try makeDatabase(schema).write { db in
      var fetch = PaneFetch(query: .table("named"))
      var view = PaneView()
      view.isAtEnd = true
      for sql in [
        "", "INSERT INTO item VALUES (70000, 0, 'a'), (70001, 0, 'b')",
        "DELETE FROM item WHERE id > 59000", "DELETE FROM item WHERE id > 100 AND id < 30000",
        """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
        INSERT INTO item SELECT 70000 + i, 0, 'new' FROM n
        """,
      ] {
        try db.execute(sql: sql)
        let contents = try fetch.fetch(db, at: nil, view: view, height: Self.height)
        let ids = try Int.fetchAll(db, sql: "SELECT id FROM item ORDER BY id")
        #expect(contents.count == ids.count && contents.isEnd, "\(sql)")
        let shown = contents.result.rows.map { Int.fromDatabaseValue($0[1]) }
        #expect(shown == ids.suffix(Self.height), "\(sql)")
      }
    }
  }

  @Test(arguments: ["item", "named"])
  func `a row stays at the top while a result grows past what is fetched as a whole, and back`(
    table: String
  ) throws {
    let schema = """
      CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
      CREATE VIEW named AS SELECT id, name FROM item ORDER BY id;
      WITH RECURSIVE n (i) AS (SELECT 1001 UNION ALL SELECT i + 1 FROM n WHERE i < 2990)
      INSERT INTO item SELECT i, 'name ' || i FROM n;
      """
    try makeDatabase(schema).write { db in
      var pane = Pane(query: .table(table), titles: [table])
      func top() throws -> [Int?] {
        let (row, view) = (pane.view.firstRow, pane.fetchedView)
        let contents = try pane.fetch.fetch(db, at: nil, view: view, height: Self.height)
        pane.show(contents, isSameView: true, requestedRow: row, time: "")
        let first = (pane.view.firstRow ?? 0) - (contents.isWhole ? 0 : contents.offset)
        return pane.rows.dropFirst(first).filter { $0.mark != .removed }.prefix(3)
          .map { Int.fromDatabaseValue($0.values[0]) }
      }
      _ = try top()
      try db.execute(sql: "DELETE FROM item WHERE id = 1001")
      _ = try top()
      // The row that was removed is still shown, above it.
      pane.moveTop(to: 1001)
      #expect(try top() == [2002, 2003, 2004])
      try db.execute(
        sql: """
          DELETE FROM item WHERE id < 1051;
          WITH RECURSIVE n (i) AS (SELECT 2991 UNION ALL SELECT i + 1 FROM n WHERE i < 3990)
          INSERT INTO item SELECT i, 'name ' || i FROM n;
          """
      )
      #expect(try top() == [2002, 2003, 2004])
      #expect(pane.contents?.isWhole == false)
      #expect(pane.view.firstRow == 951)
      try db.execute(sql: "DELETE FROM item WHERE id < 1061 OR id > 2900")
      // Rows are counted again when counting has taken no more than its share of the time.
      repeat { #expect(try top() == [2002, 2003, 2004]) } while pane.contents?.isWhole == false
    }
  }

  /// The log of the file names these rows, whichever connection has changed them.
  @Test func `changed and deleted rows elsewhere are known, without filtered ones`() async throws {
    let file = try await TestFile(Self.schema)
    let pool = try DatabasePool(path: file.path)
    for filter in ["", "name 1"] {
      try await file.execute("UPDATE item SET name = 'name 1'")
      var fetch = PaneFetch(query: .table("ITEM"))
      var view = PaneView()
      (view.firstRow, view.filter) = (5000, filter)
      var last: PaneContents?
      func contents() throws -> PaneContents {
        try pool.unsafeRead { db in
          try RowChangeReader.read(db) { try fetch.fetch(db, at: $0, view: view, height: 4) }
        }
      }
      func changed(_ sql: String) async throws -> Set<Int64> {
        try await file.execute(sql)
        last = try contents()
        return last?.changedElsewhere ?? []
      }
      // A checkpoint of the large transaction ends the log.
      #expect(try await changed("UPDATE item SET name = 'name 1' WHERE id = 3") == [])
      let rejected = try await changed("UPDATE item SET name = 'name 2' WHERE id = 3")
      #expect(rejected == (filter.isEmpty ? [3] : []))
      // The second one is in the window.
      let several = "UPDATE item SET name = 'name 12' WHERE id IN (6, 15009, 60000)"
      #expect(try await changed(several) == [6, 60_000])
      #expect(last?.deletedRows == [])
      #expect(try await changed("DELETE FROM item WHERE id = 9; UPDATE pair SET n = 0") == [])
      #expect(last?.deletedRows == (filter.isEmpty ? [9] : []))
      #expect(try await changed("UPDATE item SET name = 'name 1' || id") == [])
      #expect(try await changed("UPDATE item SET name = 'name 13' WHERE id = 30") == [30])
      view.sort = PaneView.Sort(column: 1, name: "kind")
      fetch.forgetOrder()
      #expect(try await changed("UPDATE item SET name = 'name 14' WHERE id = 33") == [])
      #expect(last?.sorted?.changed == [33])
      // Rows with NULL come first.
      #expect(last?.sorted?.above == 0 && last?.sorted?.below == 1)
      #expect(try await changed("UPDATE item SET name = 'name 15' WHERE id = 24") == [])
      #expect(last?.sorted?.changed == [24])
      #expect(last?.sorted?.above == 1 && last?.sorted?.below == 0)
    }
  }

  @Test func `a commit that the rows of a fetch do not show is named by the next one`()
    async throws
  {
    let file = try await TestFile(Self.schema)
    let pool = try DatabasePool(path: file.path)
    let other = try DatabaseQueue(path: file.path)
    var fetch = PaneFetch(query: .table("item"))
    var view = PaneView()
    view.firstRow = 5000
    func contents(_ meanwhile: String? = nil) throws -> PaneContents {
      try pool.unsafeRead { db in
        try RowChangeReader.read(db) { position in
          if let meanwhile { try other.write { try $0.execute(sql: meanwhile) } }
          return try fetch.fetch(db, at: position, view: view, height: 4)
        }
      }
    }
    // The first commit to an empty log is not read.
    try await other.write { try $0.execute(sql: "UPDATE item SET name = 'first' WHERE id = 3") }
    let before = try contents()
    let during = try contents("DELETE FROM item WHERE id IN (6, 15006, 60000)")
    #expect(during.rowIDs == before.rowIDs)
    #expect(during.changedElsewhere == [] && during.deletedRows == [])
    let after = try contents()
    #expect(after.changedElsewhere == [] && after.deletedRows == [6, 15_006, 60_000])
    #expect(try contents().deletedRows == [])
  }

  @Test func `row ids say what both parts would contain`() throws {
    try makeDatabase(Self.schema).write { db in
      var fetch = PaneFetch(query: .table("item"))
      var view = PaneView()
      view.firstRow = 5000
      let before = try fetch.fetch(db, at: nil, view: view, height: 4)
      #expect(before.rowIDs?.values == [15_003, 15_006, 15_009, 15_012])
      try db.execute(
        sql: """
          DELETE FROM item WHERE id IN (15003, 15009, 3); INSERT INTO item VALUES (15007, 1, 'new');
          UPDATE item SET name = 'other' WHERE id IN (15012, 15015, 30)
          """
      )
      let after = try fetch.fetch(db, at: nil, view: view, height: 4)
      #expect(after.rowIDs?.values == [15_006, 15_007, 15_012, 15_015])
      let marks = after.marked(since: before).map { ($0.rowID, $0.mark) }
      #expect(marks.map(\.0) == [15_003, 15_006, 15_007, 15_009, 15_012, 15_015])
      // The last row was in no part before.
      #expect(
        marks.map(\.1) == [.removed, .unchanged, .added, .removed, .changed([2]), .unchanged]
      )
    }
  }
}
