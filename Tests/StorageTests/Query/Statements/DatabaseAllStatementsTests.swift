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
}
