import Storage
import Testing

@testable import StorageTestSupport

struct DatabaseAllStatementsTests {
  @Test func `The statements of a literal bind its values in turn`() throws {
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE shop (name)")
      let statements = try db.allStatements(
        literal: """
          INSERT INTO shop VALUES (\("a?")); INSERT INTO shop VALUES (\("b")), (\(nil as Int?))
          """
      )
      while let statement = try statements.next() {
        try statement.execute()
      }
      #expect(try String?.fetchAll(db, sql: "SELECT name FROM shop") == ["a?", "b", nil])
    }
  }

  @Test func `the parameters of a literal without values are bound later`() throws {
    try withDatabase { db in
      for _ in 0..<2 {
        let cached = try db.cachedStatement(literal: "SELECT ? + 1")
        #expect(throws: DatabaseError.self) { _ = try Int.fetchOne(cached) }
        #expect(try Int.fetchOne(cached, arguments: [2]) == 3)
      }
      let made = try db.makeStatement(literal: "SELECT ?")
      #expect(throws: DatabaseError.self) { _ = try Int.fetchOne(made) }
      try made.setArguments([5])
      #expect(try Int.fetchOne(made) == 5)
      let statements = try db.allStatements(literal: "SELECT ?; SELECT ? * 2")
      var values: [Int?] = []
      while let statement = try statements.next() {
        #expect(throws: DatabaseError.self) { _ = try Int.fetchOne(statement) }
        values.append(try Int.fetchOne(statement, arguments: [4]))
      }
      #expect(values == [4, 8])
    }
  }

  @Test func `a literal is complete where nothing can be bound later`() throws {
    try withDatabase { db in
      #expect(throws: DatabaseError.self) { _ = try db.cachedStatement(literal: "SELECT \(1), ?") }
      #expect(throws: DatabaseError.self) { _ = try db.makeStatement(literal: "SELECT \(1), ?") }
      #expect(throws: DatabaseError.self) { try db.execute(literal: "SELECT ?") }
      for cached in [false, true] {
        let request = SQLRequest<Int>(literal: "SELECT ?", cached: cached)
        #expect(throws: DatabaseError.self) { _ = try request.fetchOne(db) }
      }
    }
  }
}
