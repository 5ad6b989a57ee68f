import Storage
import Testing

@testable import StorageTestSupport

@Suite struct StatementTests {
  @Test func `STM-10, STM-11: a statement is compiled once and runs with new arguments`() throws {
    try withDatabase { db in
      let statement = try db.makeStatement(sql: "INSERT INTO item (name) VALUES (?)")
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM item") == 0)
      try statement.execute(arguments: ["cup"])
      #expect(db.changesCount == 1)
      #expect(db.lastInsertedRowID == 1)
      try statement.execute(arguments: ["pot"])
      #expect(db.lastInsertedRowID == 2)
      try statement.execute()
      #expect(try String.fetchAll(db, sql: "SELECT name FROM item") == ["cup", "pot", "pot"])
    }
  }

  @Test func `STM-13, STM-19: the connection counts changed rows and knows the last row id`() throws
  {
    try withDatabase { db in
      let before = db.totalChangesCount
      try db.execute(sql: "INSERT INTO item VALUES (7, 'cup', 4), (9, 'pot', 5)")
      #expect(db.changesCount == 2)
      #expect(db.lastInsertedRowID == 9)
      try db.execute(sql: "UPDATE item SET price = 6")
      #expect(db.changesCount == 2)
      try db.execute(sql: "DELETE FROM item WHERE id = 7")
      #expect(db.changesCount == 1)
      #expect(db.totalChangesCount - before == 5)
    }
  }

  @Test func `STM-12, STM-14, STM-18: bound arguments serve later fetches`() throws {
    try withDatabase { db in
      let statement = try db.makeStatement(
        sql: "SELECT column1 AS n FROM (VALUES (1), (2), (3)) WHERE column1 >= ?"
      )
      try statement.setArguments([2])
      #expect(try Int.fetchAll(statement) == [2, 3])
      #expect(try Int.fetchSet(statement) == [2, 3])
      #expect(try Int.fetchOne(statement, arguments: [3]) == 3)
      #expect(try Int.fetchAll(statement) == [3])
      let rows = try Row.fetchCursor(statement, arguments: [1])
      var numbers: [Int] = []
      while let row = try rows.next() { numbers.append(row[0]) }
      #expect(numbers == [1, 2, 3])
      #expect(try Row.fetchSet(statement).count == 3)
    }
  }

  @Test func `STM-15, A-027: a statement describes its SQL, columns and region`() throws {
    try withDatabase { db in
      let query = try db.makeStatement(sql: "SELECT id, name AS Title FROM item -- all of them")
      #expect(query.columnNames == ["id", "Title"])
      #expect(query.columnCount == 2)
      #expect(query.index(ofColumn: "title") == 1)
      #expect(query.index(ofColumn: "name") == nil)
      #expect(query.isReadonly)
      #expect(query.sql == "SELECT id, name AS Title FROM item -- all of them")
      #expect(try query.databaseRegion().description == "item(id,name)")
      let delete = try db.makeStatement(sql: "DELETE FROM item; ")
      #expect(!delete.isReadonly)
      #expect(delete.columnNames == [])
      #expect(delete.sql == "DELETE FROM item;")
      let row = try db.makeStatement(sql: "SELECT name FROM item WHERE id = ?")
      try row.setArguments([3])
      #expect(try row.databaseRegion().description == "item(id,name)[3]")
      #expect(try db.makeStatement(sql: "SELECT 1").databaseRegion().isEmpty)
    }
  }

  @Test func `STM-16: one call compiles, runs and returns a statement`() throws {
    try withDatabase { db in
      let insert = try db.run(sql: "INSERT INTO item (name) VALUES (?)", arguments: ["cup"])
      try insert.execute(arguments: ["pot"])
      #expect(try String.fetchAll(db, sql: "SELECT name FROM item") == ["cup", "pot"])
    }
  }

  @Test func `A-026: a cached statement is compiled once`() throws {
    try withDatabase { db in
      let first = try db.cachedStatement(sql: "SELECT ?")
      #expect(try db.cachedStatement(sql: "SELECT ?") === first)
      #expect(try Int.fetchOne(first, arguments: [1]) == 1)
    }
  }
}
