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

  @Test func `the parameters of a literal can be bound later`() throws {
    try withDatabase { db in
      let cached = try db.cachedStatement(literal: "SELECT ? + 1")
      #expect(try Int.fetchOne(cached, arguments: [2]) == 3)
      let statements = try db.allStatements(literal: "SELECT ?; SELECT ? * 2")
      var values: [Int?] = []
      while let statement = try statements.next() {
        values.append(try Int.fetchOne(statement, arguments: [4]))
      }
      #expect(values == [4, 8])
      // Values of the literal must still be complete.
      #expect(throws: DatabaseError.self) { try db.cachedStatement(literal: "SELECT \(1), ?") }
      #expect(throws: DatabaseError.self) { try db.execute(literal: "SELECT ?") }
    }
  }
}
