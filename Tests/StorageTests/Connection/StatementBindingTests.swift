@testable import Storage
import Testing

@Suite struct StatementBindingTests {
  @Test func `the offset is one in the SQL of the error`() throws {
    try withDatabase { db in
      let sql = "SELECT 1; SELECT nope"
      let error = #expect(throws: DatabaseError.self) { try db.execute(sql: sql) }
      #expect(error?.sql == sql)
      #expect(error?.sqlOffset == 17)
    }
  }

  @Test func `a cache stays bounded`() throws {
    try withDatabase { db in
      var cache = StatementCache(capacity: 4)
      var cursors: [RowCursor] = []
      for number in 0..<20 {
        let statement = try db.makeStatement(sql: "SELECT \(number)")
        let cursor = try Row.fetchCursor(statement)
        _ = try cursor.next()
        cursors.append(cursor)
        cache.insert(statement, for: statement.sql)
      }
      #expect(cache.count <= 4)
      withExtendedLifetime(cursors) {}
    }
  }

  @Test func `a refused binding leaves the old arguments whole`() throws {
    try withDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT ? + ?")
      try statement.setArguments([1, 2])
      #expect(throws: DatabaseError.self) { try statement.setArguments([100]) }
      #expect(try Int.fetchOne(statement) == 3)
    }
  }
}
