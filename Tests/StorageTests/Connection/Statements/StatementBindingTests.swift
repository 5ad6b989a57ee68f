@testable import Storage
import Testing

@Suite struct StatementBindingTests {
  @Test func `a refused binding keeps the previous arguments`() throws {
    try withDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT ? + ?")
      try statement.setArguments([1, 2])
      #expect(throws: DatabaseError.self) { try statement.setArguments([100]) }
      #expect(try Int.fetchOne(statement) == 3)
    }
  }

  @Test func `A-027: arguments can be validated before they are bound`() throws {
    try withDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT ?, :a")
      try statement.setArguments([1, 2])
      try statement.validateArguments([3, 4])
      try statement.validateArguments([3] + ["a": 4])
      for wrong in [[1], [1, 2, 3], ["a": 1], [1] + ["b": 2]] as [StatementArguments] {
        #expect(throws: DatabaseError.self) { try statement.validateArguments(wrong) }
      }
      #expect(statement.arguments == [1, 2])
      #expect(try Row.fetchOne(statement)?.databaseValues == [1, 2].map(\.databaseValue))
    }
  }

  @Test func `A-027: unchecked arguments bind NULL where a value is missing`() throws {
    try withDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT ?, :a, ?")
      func values() throws -> [DatabaseValue] {
        try #require(try Row.fetchOne(statement)).databaseValues
      }
      try statement.setUncheckedArguments([1])
      #expect(try values() == [1.databaseValue, .null, .null])
      try statement.setUncheckedArguments(["a": 2, "b": 3])
      #expect(try values() == [.null, 2.databaseValue, .null])
      try statement.setUncheckedArguments([1, 2, 3, 4])
      #expect(try values() == [1, 2, 3].map(\.databaseValue))
      try statement.setUncheckedArguments([])
      #expect(try values() == [.null, .null, .null])
    }
  }
}
