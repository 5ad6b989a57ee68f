import Storage
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

  /// Returns the rows that successive searches find, starting at the top; new ones with a plus.
  private func search(
    _ db: Database,
    _ memory: inout PaneMemory,
    view: PaneView = PaneView(),
    from top: Int = 0,
    forward: Bool = true
  ) throws -> [String] {
    var found: [String] = []
    var last = top
    while let row = try memory.next(db, view: view, from: last, forward: forward) {
      found.append((row.isNew ? "+" : "") + "\(row.index)")
      last = row.index
    }
    return found
  }

  @Test func `rows of a view have no keys, and those that have not changed are not found`() throws {
    try makeDatabase().write { db in
      try db.execute(sql: "CREATE VIEW named AS SELECT id, name FROM item")
      var memory = PaneMemory(query: .table("named"))
      try memory.remember(db)
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
      try memory.remember(db)
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
      try memory.remember(db)
      try db.execute(sql: "UPDATE item SET name = name || '!' WHERE id IN (1, 5)")
      var view = PaneView()
      view.sort = PaneView.Sort(column: 0, isDescending: true)
      view.filter = "!"
      #expect(try search(db, &memory, view: view) == ["1", "0"])
    }
  }

  @Test func `rows of SQL are identified by their key`() throws {
    try makeDatabase().write { db in
      let query = WatchedQuery.sql("SELECT name, id FROM item ORDER BY id;", key: ["id"])
      var memory = PaneMemory(query: query)
      try memory.remember(db)
      try db.execute(sql: "DELETE FROM item WHERE id = 1; UPDATE item SET name = 'x' WHERE id = 4")
      #expect(try search(db, &memory) == ["2"])
    }
  }

  @Test func `a result that is too large is not searched`() throws {
    try makeDatabase().write { db in
      var memory = PaneMemory(query: .table("item"), limit: 4)
      try memory.remember(db)
      #expect(throws: ToolError("changes are searched for among 4 rows at most")) {
        try search(db, &memory)
      }
      memory = PaneMemory(query: .table("item"), limit: 5)
      try memory.remember(db)
      #expect(try search(db, &memory) == [])
    }
  }
}
