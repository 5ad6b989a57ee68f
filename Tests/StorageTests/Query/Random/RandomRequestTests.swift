import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// Random requests compile, and return the same rows as equivalent SQL written by hand.
@Suite struct RandomRequestTests {
  /// Runs a test on tables with random numbers and NULLs.
  private func withNumbers(
    _ seed: UInt64,
    _ body: (Database, inout SeededGenerator) throws -> Void
  ) throws {
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          CREATE TABLE player (
            id INTEGER PRIMARY KEY, teamID INTEGER, score INTEGER, bonus INTEGER, mask INTEGER
          );
          CREATE TABLE team (id INTEGER PRIMARY KEY, size INTEGER)
          """
      )
      var generator = SeededGenerator(seed: seed)
      func value() -> DatabaseValue {
        generator.chance(30) ? .null : generator.number(in: -4..<10).databaseValue
      }
      for id in 1...25 {
        try db.execute(
          sql: "INSERT INTO player VALUES (?, ?, ?, ?, ?)",
          arguments: [id, value(), value(), value(), value()]
        )
      }
      for id in 1...5 {
        try db.execute(sql: "INSERT INTO team VALUES (?, ?)", arguments: [id, value()])
      }
      try body(db, &generator)
    }
  }

  @Test(arguments: 1...8)
  func `REQ-04: random requests return the same rows as SQL written by hand`(_ seed: UInt64) throws
  {
    try withNumbers(seed) { db, random in
      for _ in 0..<Soak.size(10_000, inSuite: 60) {
        var again = random
        let query = random.query()
        func values(_ rows: [Row]) -> [String] {
          rows.map { $0.databaseValues.map(\.description).joined(separator: ",") }
        }
        var rows = values(try query.request.fetchAll(db))
        var expected = values(try Row.fetchAll(db, sql: query.sql))
        if !query.isOrdered {
          rows.sort()
          expected.sort()
        }
        guard rows == expected else {
          let statement = try query.request.makePreparedRequest(db).statement
          Issue.record("\(query.sql)\n\(statement.sql) \(statement.arguments)")
          return
        }
        let number = try query.request.fetchCount(db)
        #expect(number == expected.count, "\(query.sql)")
        let same = again.query()
        #expect(query.request == same.request)
        #expect(query.request.hashValue == same.request.hashValue)
      }
    }
  }
}
