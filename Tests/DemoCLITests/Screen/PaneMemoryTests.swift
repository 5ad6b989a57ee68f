import CommandLineSupport
import Storage
import TestSupport
import Testing

@testable import DemoCLI

@Suite struct PaneMemoryTests {
  private func makeDatabase() throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
          INSERT INTO item VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd'), (5, 'e');
          """
      )
    }
    return queue
  }

  /// Reads all rows in steps, and returns the changes.
  @discardableResult
  private func read(
    _ db: Database,
    _ memory: inout PaneMemory,
    view: PaneView = PaneView(),
    limit: Int? = nil
  ) throws -> PaneComparison? {
    var pass = memory.begin(view.order)
    while try memory.note(memory.step(db, of: pass, limit: limit), &pass) {}
    return memory.end(pass)
  }

  /// Returns the rows that successive searches find, starting at the top; new rows with a plus.
  private func search(
    _ db: Database,
    _ memory: inout PaneMemory,
    view: PaneView = PaneView(),
    from top: Int = 0,
    forward: Bool = true
  ) throws -> [String] {
    var found: [String] = []
    var last = top
    while let candidate = try memory.search(db, view: view, from: last, forward: forward) {
      let row = memory.take(candidate)
      found.append((row.isNew ? "+" : "") + "\(row.index)")
      last = row.index
    }
    return found
  }

  @Test func `rows of a view have no keys, and those that have not changed are not found`() throws {
    try makeDatabase().write { db in
      try db.execute(sql: "CREATE VIEW named AS SELECT id, name FROM item")
      var memory = PaneMemory(query: .table("named"))
      try read(db, &memory)
      #expect(try search(db, &memory) == [])
      try db.execute(sql: "UPDATE item SET name = 'x' WHERE id = 2")
      #expect(try search(db, &memory) == ["1"])
    }
  }

  @Test func `each changed or new row is found once, from the top row on and around the end`()
    throws
  {
    try makeDatabase().write { db in
      var memory = PaneMemory(query: .table("item"))
      try read(db, &memory)
      #expect(try search(db, &memory) == [])
      try db.execute(
        sql: """
          UPDATE item SET name = 'x' WHERE id IN (2, 4); DELETE FROM item WHERE id = 3;
          INSERT INTO item VALUES (6, 'f')
          """
      )
      var other = memory
      #expect(try search(db, &memory, from: 1) == ["2", "+4", "1"])
      #expect(try search(db, &memory) == [])
      #expect(try search(db, &other, from: 3, forward: false) == ["2", "1", "+4"])
    }
  }

  @Test func `rows are found in the order of the view`() throws {
    try makeDatabase().write { db in
      var memory = PaneMemory(query: .table("item"))
      try read(db, &memory)
      try db.execute(sql: "UPDATE item SET name = name || '!' WHERE id IN (1, 5)")
      var view = PaneView()
      view.sort = PaneView.Sort(column: 0, name: "id", isDescending: true)
      view.filter = "!"
      #expect(try search(db, &memory, view: view) == ["1", "0"])
    }
  }

  @Test func `rows of SQL are identified by their key`() throws {
    try makeDatabase().write { db in
      let query = WatchedQuery.sql("SELECT name, id FROM item ORDER BY id;", key: ["id"])
      var memory = PaneMemory(query: query)
      try read(db, &memory)
      try db.execute(sql: "DELETE FROM item WHERE id = 1; UPDATE item SET name = 'x' WHERE id = 4")
      #expect(try search(db, &memory) == ["2"])
    }
  }

  @Test func `a result that is too large is not searched`() throws {
    try makeDatabase().write { db in
      var memory = PaneMemory(query: .table("item"), limit: 4)
      try read(db, &memory)
      #expect(throws: ToolError("changes are searched for among 4 rows at most")) {
        try search(db, &memory)
      }
      memory = PaneMemory(query: .table("item"), limit: 5)
      try read(db, &memory)
      #expect(try search(db, &memory) == [])
      // Removed rows make room, and changes are known again later.
      try db.execute(sql: "UPDATE item SET id = id + 10")
      #expect(try read(db, &memory) == nil)
      try db.execute(sql: "UPDATE item SET name = 'x' WHERE id = 12")
      #expect(try read(db, &memory)?.summary == "~1")
    }
  }

  /// The queries whose rows are compared: the sort keys of rows are known, or only their numbers.
  private static let queries: [WatchedQuery] = [
    .table("item"), .table("pair"), .table("named"),
    .sql("SELECT name, id FROM item ORDER BY id DESC", key: ["id"]),
  ]

  @Test(arguments: queries, [nil, 3])
  func `comparisons find what random changes have done`(query: WatchedQuery, limit: Int?) throws {
    var random = SeededGenerator(seed: 1)
    try makeDatabase().write { db in
      try db.execute(
        sql: """
          CREATE TABLE pair (b, a, name, PRIMARY KEY (a, b)) WITHOUT ROWID;
          CREATE VIEW named AS SELECT name || id, id FROM item ORDER BY id;
          CREATE TRIGGER copy_new AFTER INSERT ON item BEGIN
            INSERT INTO pair VALUES (new.id % 3, new.id / 3, new.name); END;
          CREATE TRIGGER copy_old AFTER DELETE ON item BEGIN
            DELETE FROM pair WHERE b = old.id % 3 AND a = old.id / 3; END;
          CREATE TRIGGER copy AFTER UPDATE OF name ON item BEGIN
            UPDATE pair SET name = new.name WHERE b = new.id % 3 AND a = new.id / 3; END;
          INSERT INTO item SELECT id + 100, name FROM item;
          """
      )
      var memory = PaneMemory(query: query)
      #expect(try read(db, &memory, limit: limit) == nil)
      for _ in 0..<200 {
        let former = try query.fetch(db)
        for _ in 0..<Int.random(in: 0..<4, using: &random) {
          let id = Int.random(in: 90..<120, using: &random)
          switch Int.random(in: 0..<3, using: &random) {
          case 0: try db.execute(sql: "INSERT OR IGNORE INTO item VALUES (\(id), 'new')")
          case 1: try db.execute(sql: "DELETE FROM item WHERE id = \(id)")
          default: try db.execute(sql: "UPDATE item SET name = name || '!' WHERE id = \(id)")
          }
        }
        if Bool.random(using: &random) {
          // A pass that is interrupted hides nothing from the next pass.
          var pass = memory.begin(PaneView.Order())
          _ = try memory.note(memory.step(db, of: pass, limit: limit.map { _ in 5 }), &pass)
          memory.abandon()
        }
        let found = try #require(try read(db, &memory, limit: limit))
        let new = try query.fetch(db)
        let order: ComparisonOrder =
          switch query.table {
          case "item": .rowIDs
          case "named": .noKeys
          default: .keys
          }
        #expect(found == expected(former, new, order))
      }
    }
  }

  /// Tables with row ids. In the second one, the row id is not the key.
  private static let tables = ["item", "keyed"]

  @Test(arguments: tables)
  func `what the log has named is not found again`(table: String) throws {
    var random = SeededGenerator(seed: 2)
    try makeDatabase().write { db in
      try db.execute(
        sql: """
          CREATE TABLE keyed (name TEXT PRIMARY KEY, value);
          INSERT INTO keyed (rowid, name, value) SELECT id + 100, id || 'k', 0 FROM item;
          INSERT INTO item SELECT id + 100, name FROM item;
          """
      )
      let query = WatchedQuery.table(table)
      // With the row ids as keys.
      let columns = table == "item" ? "id, name" : "rowid, name, value"
      let rows = WatchedQuery.sql(
        "SELECT \(columns) FROM \(table)",
        key: [
          table == "item" ? "id" : "rowid"
        ]
      )
      func change(_ id: Int) throws {
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where table == "item":
          try db.execute(sql: "INSERT OR IGNORE INTO item VALUES (\(id), 'new')")
        case 0:
          try db.execute(
            sql: "INSERT OR IGNORE INTO keyed (rowid, name, value) VALUES (\(id), '\(id)k', 1)"
          )
        case 1: try db.execute(sql: "DELETE FROM \(table) WHERE rowid = \(id)")
        default:
          let column = table == "item" ? "name" : "value"
          try db.execute(
            sql: "UPDATE \(table) SET \(column) = \(column) || '!' WHERE rowid = \(id)"
          )
        }
      }
      var memory = PaneMemory(query: query)
      #expect(try read(db, &memory) == nil)
      var changes = 0
      for _ in 0..<200 {
        let named = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
          Int.random(in: 90..<120, using: &random)
        }
        for id in named { try change(id) }
        let source = try #require(try PaneSource(query.plan(db), view: PaneView(), db))
        // The log may name more rows than have changed.
        memory.note(try source.namedRows(db, among: Set(([99] + named).map(Int64.init))))
        let former = try rows.fetch(db)
        for _ in 0..<Int.random(in: 0..<4, using: &random) {
          try change(Int.random(in: 90..<120, using: &random))
        }
        let found = try #require(try read(db, &memory))
        #expect(try found == expected(former, rows.fetch(db), .rowIDs))
        changes += found.isEmpty ? 0 : 1
      }
      #expect(changes > 50)
    }
  }

  @Test func `a search finds what the log has named`() throws {
    try makeDatabase().write { db in
      let query = WatchedQuery.table("item")
      var memory = PaneMemory(query: query)
      try read(db, &memory)
      try db.execute(sql: "UPDATE item SET name = 'x' WHERE id = 2; DELETE FROM item WHERE id = 3")
      try db.execute(sql: "INSERT INTO item VALUES (9, 'new')")
      let source = try #require(try PaneSource(query.plan(db), view: PaneView(), db))
      let named = try source.namedRows(db, among: [2, 3, 9])
      #expect(named.present.keys.sorted() == [2, 9])
      #expect(named.absent == [3])
      memory.note(named)
      #expect(try read(db, &memory)?.summary == "")
      #expect(try search(db, &memory) == ["1", "+4"])
    }
  }

  /// How the rows of a comparison are identified and sorted.
  private enum ComparisonOrder { case rowIDs, keys, noKeys }

  /// Returns the changes between two results by comparing all keys.
  private func expected(
    _ former: WatchedResult,
    _ new: WatchedResult,
    _ order: ComparisonOrder
  ) -> PaneComparison {
    func rows(_ result: WatchedResult) -> [(key: [DatabaseValue], values: [DatabaseValue])] {
      result.rows.indices.map { (result.key(ofRow: $0), result.rows[$0]) }
    }
    let old = Dictionary(uniqueKeysWithValues: rows(former).map { ($0.key, $0.values) })
    var expected = PaneComparison()
    expected.rowCount = new.rows.count
    for (index, row) in rows(new).enumerated() where old[row.key] != row.values {
      expected.add(index, isNew: old[row.key] == nil)
    }
    let keys = Set(rows(new).map(\.key))
    let removed = rows(former).indices.filter { !keys.contains(rows(former)[$0].key) }
    switch order {
    case .rowIDs:
      let ids = keys.compactMap { Int.fromDatabaseValue($0[0]) }
      expected.remove(
        before: removed.compactMap { Int.fromDatabaseValue(rows(former)[$0].key[0]) }.map { id in
          ids.count { $0 < id }
        }
      )
    case .keys: expected.remove(indices: removed)
    case .noKeys:
      expected.remove(indices: removed)
      expected.pairUpdates()
    }
    return expected
  }

  @Test func `with a filter, rows that begin or cease to match are new or removed`() throws {
    try makeDatabase().write { db in
      var memory = PaneMemory(query: .table("item"))
      var view = PaneView()
      try read(db, &memory)
      view.filter = "x"
      #expect(try read(db, &memory, view: view) == nil)
      try db.execute(sql: "UPDATE item SET name = 'x' WHERE id IN (1, 4)")
      #expect(try read(db, &memory, view: view)?.summary == "+0 +1")
      try db.execute(sql: "UPDATE item SET name = id || 'x' WHERE id IN (2, 4)")
      #expect(try read(db, &memory, view: view)?.summary == "+1 ~2")
      try db.execute(sql: "UPDATE item SET name = 'y' WHERE id IN (1, 5)")
      #expect(try read(db, &memory, view: view)?.summary == "-0")
      // The searches still find the changes since the first pass, shown or not.
      #expect(try read(db, &memory) == nil)
      #expect(try search(db, &memory) == ["1", "3", "4", "0"])
      #expect(try read(db, &memory)?.summary == "")
    }
  }

  @Test func `a search does not hide a change from the next comparison`() throws {
    try makeDatabase().write { db in
      var memory = PaneMemory(query: .table("item"))
      try read(db, &memory)
      try db.execute(sql: "UPDATE item SET name = 'x' WHERE id = 2; DELETE FROM item WHERE id = 3")
      try db.execute(sql: "INSERT INTO item VALUES (9, 'new')")
      #expect(try search(db, &memory) == ["1", "+4"])
      #expect(try read(db, &memory)?.summary == "+4 ~1 -2")
      #expect(try search(db, &memory) == [])
    }
  }
}

@Suite struct PaneComparisonTests {
  private func comparison(
    changed: [Int] = [],
    added: [Int] = [],
    removed indices: [Int] = []
  ) -> PaneComparison {
    var comparison = PaneComparison()
    for row in changed { comparison.add(row, isNew: false) }
    for row in added { comparison.add(row, isNew: true) }
    comparison.remove(indices: indices)
    return comparison
  }

  @Test(arguments: [
    ([], [0, 1, 5], [0, 0, 3]),
    ([0, 1], [0, 2], [0, 3]),
    ([3], [3], [3]),
    ([3], [4], [5]),
    ([2, 7], [9, 0], [0, 10]),
  ])
  func `a removed row was before the row that follows it now`(
    added: [Int],
    indices: [Int],
    removed: [Int]
  ) {
    #expect(comparison(added: added, removed: indices).removed == removed)
  }

  @Test func `rows without keys are updates where one is removed and another is new`() {
    var updates = comparison(added: [1, 2, 7, 9], removed: [1, 2, 5, 8])
    #expect(updates.summary == "+1 +2 +7 +9 -1 -1 -5 -7")
    updates.pairUpdates()
    #expect(updates.summary == "+9 ~1 ~2 ~7 -5")
  }

  @Test func `changes before a part and after it are counted`() {
    let changes = comparison(changed: [0, 4, 9, 10], added: [3, 11], removed: [2, 20])
    #expect(changes.outside(4..<10, hasRowsAfter: true) == (3, 3))
    #expect(changes.outside(0..<4, hasRowsAfter: true) == (0, 5))
    #expect(changes.outside(12..<20, hasRowsAfter: false) == (7, 0))
    #expect((0..<12).map { changes.mark(ofRow: $0) }.map(\.character) == Array("~  +~    ~~+"))
  }
}

extension PaneComparison {
  /// The indexes with `+`, `~` and `-`.
  fileprivate var summary: String {
    let parts = added.map { "+\($0)" } + changed.map { "~\($0)" } + removed.map { "-\($0)" }
    return parts.joined(separator: " ")
  }
}

extension RowMark {
  fileprivate var character: Character {
    switch self {
    case .unchanged: " "
    case .added: "+"
    case .changed: "~"
    case .removed: "-"
    }
  }
}
