import Storage
import Testing

@testable import StorageTestSupport

@Suite struct StatementTimeoutTests {
  private static func configuration(_ timeout: Duration) -> Configuration {
    var configuration = Configuration()
    configuration.statementTimeout = timeout
    return configuration
  }

  @Test func `a statement that runs for too long fails, and names the limit and the SQL`() throws {
    try withDatabase(Self.configuration(.milliseconds(20))) { db throws in
      let error = expectDatabaseError(
        .SQLITE_INTERRUPT,
        "the statement ran longer than Configuration.statementTimeout allows: 0.02 seconds"
      ) { _ = try Int.fetchOne(db, sql: EndlessQuery.sql) }
      #expect(error?.sql == EndlessQuery.sql)
      // The connection continues, with a new time for each statement.
      #expect(try Int.fetchOne(db, sql: "SELECT 1") == 1)
    }
  }

  @Test func `a result without end is stopped, although each row comes quickly`() throws {
    try withDatabase(Self.configuration(.milliseconds(20))) { db throws in
      let sql = EndlessQuery.sql.replacing("count(*)", with: "i")
      var rows = 0
      let error = #expect(throws: DatabaseError.self) {
        let cursor = try Int.fetchCursor(db, sql: sql)
        while try cursor.next() != nil { rows += 1 }
      }
      #expect(error?.resultCode == .SQLITE_INTERRUPT)
      #expect(rows > 0)
    }
  }

  @Test func `a write that runs for too long is undone with its transaction`() throws {
    let shop = try Shop(Self.configuration(.milliseconds(50)))
    let count = "SELECT count(*) FROM item"
    let before = try shop.pool.read { db in try Int.fetchOne(db, sql: count) }
    let error = #expect(throws: DatabaseError.self) {
      try shop.pool.write { db throws in
        try db.execute(sql: "DELETE FROM item")
        try db.execute(
          sql: """
            WITH RECURSIVE number(n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM number)
            DELETE FROM item WHERE id IN (SELECT count(*) FROM number)
            """
        )
      }
    }
    #expect(error?.resultCode == .SQLITE_INTERRUPT)
    #expect(try shop.pool.read { db in try Int.fetchOne(db, sql: count) } == before)
    try shop.pool.write { db in try db.execute(sql: "DELETE FROM item") }
  }

  @Test func `the time ends with the statement`() throws {
    try withDatabase(Self.configuration(.milliseconds(300))) { db throws in
      let finite = EndlessQuery.sql.replacing("FROM n)", with: "FROM n WHERE i < 2000)")
      let end = ContinuousClock.now + .milliseconds(700)
      while ContinuousClock.now < end { #expect(try Int.fetchOne(db, sql: finite) == 2000) }
    }
  }

  @Test func `without a limit, a statement runs as long as it needs`() throws {
    try withDatabase { db throws in
      let finite = EndlessQuery.sql.replacing("FROM n)", with: "FROM n WHERE i < 200000)")
      #expect(try Int.fetchOne(db, sql: finite) == 200_000)
    }
  }

  @Test func `an observation of a query that runs for too long ends with its error`() async throws {
    let shop = try Shop(Self.configuration(.milliseconds(20)))
    let values = ValueObservation.tracking { db throws in
      try Int.fetchOne(db, sql: EndlessQuery.sql)
    }.values(in: shop.pool)
    let error = await #expect(throws: DatabaseError.self) { for try await _ in values {} }
    #expect(error?.resultCode == .SQLITE_INTERRUPT)
  }
}
