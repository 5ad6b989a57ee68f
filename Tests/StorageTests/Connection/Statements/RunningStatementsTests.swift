import Testing

@testable import Storage
@testable import StorageTestSupport

@Suite struct RunningStatementsTests {
  private static let sql = "VALUES (1), (2), (3)"

  @Test func `statements end in any order`() throws {
    try DatabaseQueue().read { db in
      let statements = try (0..<3).map { _ in try db.makeStatement(sql: Self.sql) }
      for statement in statements { #expect(try statement.firstStep()) }
      func running() -> [Bool] {
        statements.map { statement in db.runningStatements.contains { $0 === statement } }
      }
      let outer = running()
      #expect(outer == [true, true, true])
      #expect(db.runningStatements.last === statements[2])

      statements[1].reset()
      #expect(running() == [true, false, true])
      // A statement that does not run is not removed again.
      statements[1].reset()
      #expect(running() == [true, false, true])
      statements[2].reset()
      #expect(running() == [true, false, false])
      #expect(db.runningStatements.last === statements[0])
      #expect(try statements[2].firstStep())
      #expect(running() == [true, false, true])
      statements[0].reset()
      #expect(running() == [false, false, true])
      statements[2].reset()
      #expect(running() == [false, false, false])
      #expect(db.runningStatements.isEmpty)
    }
  }

  @Test func `a statement without an owner is kept until its run ends`() throws {
    weak var statement: Statement?
    try DatabaseQueue().read { db in
      func start() throws {
        let started = try db.makeStatement(sql: Self.sql)
        #expect(try started.firstStep())
        statement = started
      }
      try start()
      #expect(statement != nil)
      db.runningStatements.last?.reset()
      #expect(statement == nil)
      #expect(db.runningStatements.isEmpty)

      try start()
    }
    // The end of the access ends the run.
    #expect(statement == nil)
  }

  @Test func `a statement whose run fails does not run`() throws {
    try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY); INSERT INTO item VALUES (1)")
      weak var statement: Statement?
      func fail() throws {
        let failing = try db.makeStatement(sql: "INSERT INTO item VALUES (1)")
        expectDatabaseError(.SQLITE_CONSTRAINT_PRIMARYKEY, "UNIQUE constraint failed: item.id") {
          _ = try failing.firstStep()
        }
        statement = failing
      }
      try fail()
      #expect(statement == nil)
      #expect(db.runningStatements.isEmpty)
    }
  }
}
