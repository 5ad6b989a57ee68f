import Storage
import Testing

/// ``Statement/arguments`` after integers were bound.
@Suite struct BoundIntegersTests {
  private func values(_ statement: Statement) throws -> [DatabaseValue] {
    try Row.fetchAll(statement).flatMap(\.databaseValues)
  }

  @Test func `the integers that were bound last are the arguments`() throws {
    try DatabaseQueue().read { db in
      let statement = try db.makeStatement(sql: "SELECT ?, ?")
      try statement.execute(arguments: [1, 2])
      let first = statement.arguments
      try statement.execute(arguments: [Int.min, Int.max])
      #expect(first == [1, 2])
      #expect(statement.arguments == [Int.min, Int.max])
      #expect(try values(statement) == [Int.min.databaseValue, Int.max.databaseValue])
    }
  }

  @Test func `integers that do not fit leave those before`() throws {
    try DatabaseQueue().read { db in
      let statement = try db.makeStatement(sql: "SELECT ?, ?")
      try statement.execute(arguments: [1, 2])
      for integers in [[3], [3, 4, 5]] {
        let error = #expect(throws: DatabaseError.self) {
          try statement.execute(arguments: integers)
        }
        #expect(error?.resultCode == .SQLITE_MISUSE)
      }
      #expect(statement.arguments == [1, 2])
      #expect(try values(statement) == [1.databaseValue, 2.databaseValue])
    }
  }

  @Test func `a statement without parameters takes no integers`() throws {
    try DatabaseQueue().read { db in
      let statement = try db.makeStatement(sql: "SELECT 1")
      try statement.execute(arguments: [Int]())
      #expect(statement.arguments.isEmpty)
    }
  }

  @Test func `integers and other values take turns`() throws {
    try DatabaseQueue().read { db in
      let statement = try db.makeStatement(sql: "SELECT ?")
      try statement.execute(arguments: [1])
      try statement.execute(arguments: ["one"])
      #expect(statement.arguments == ["one"])
      try statement.execute(arguments: [2])
      #expect(statement.arguments == [2])
    }
  }
}
