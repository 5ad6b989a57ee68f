import CWellspringSQLite
import Storage
import Testing

@testable import StorageTestSupport

@Suite struct LimitsTests {
  @Test func `each limit is set on the connection`() throws {
    let limits: [(WritableKeyPath<Configuration.Limits, Int?>, Int32)] = [
      (\.length, SQLITE_LIMIT_LENGTH), (\.sqlLength, SQLITE_LIMIT_SQL_LENGTH),
      (\.columnCount, SQLITE_LIMIT_COLUMN), (\.expressionDepth, SQLITE_LIMIT_EXPR_DEPTH),
      (\.compoundSelectCount, SQLITE_LIMIT_COMPOUND_SELECT),
      (\.instructionCount, SQLITE_LIMIT_VDBE_OP),
      (\.functionArgumentCount, SQLITE_LIMIT_FUNCTION_ARG),
      (\.attachedDatabaseCount, SQLITE_LIMIT_ATTACHED),
      (\.likePatternLength, SQLITE_LIMIT_LIKE_PATTERN_LENGTH),
      (\.parameterCount, SQLITE_LIMIT_VARIABLE_NUMBER),
      (\.triggerDepth, SQLITE_LIMIT_TRIGGER_DEPTH),
      (\.workerThreadCount, SQLITE_LIMIT_WORKER_THREADS),
    ]
    for (index, (path, limit)) in limits.enumerated() {
      let values = [
        SQLITE_LIMIT_LENGTH: 50_000, SQLITE_LIMIT_SQL_LENGTH: 5000, SQLITE_LIMIT_ATTACHED: 3,
        SQLITE_LIMIT_FUNCTION_ARG: 50, SQLITE_LIMIT_VDBE_OP: 5000, SQLITE_LIMIT_WORKER_THREADS: 0,
      ]
      let value = values[limit] ?? 200 + index
      var configuration = Configuration()
      configuration.limits[keyPath: path] = value
      try withDatabase(configuration) { db throws in
        #expect(sqlite3_limit(db.sqliteConnection, limit, -1) == Int32(value), "\(path)")
        for (_, other) in limits where other != limit {
          #expect(
            try sqlite3_limit(db.sqliteConnection, other, -1) == Self.defaultLimit(other),
            "\(path) changes another limit"
          )
        }
      }
    }
  }

  private static func defaultLimit(_ limit: Int32) throws -> Int32 {
    try withDatabase { db in sqlite3_limit(db.sqliteConnection, limit, -1) }
  }

  @Test func `what is too large fails with an error, and the connection goes on`() throws {
    var configuration = Configuration()
    configuration.limits.length = 100_000
    configuration.limits.sqlLength = 1000
    try withDatabase(configuration) { db throws in
      expectDatabaseError(.SQLITE_TOOBIG, "string or blob too big") {
        _ = try Int.fetchOne(db, sql: "SELECT length(zeroblob(100001))")
      }
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "SELECT 1" + String(repeating: " + 1", count: 300))
      }
      #expect(try Int.fetchOne(db, sql: "SELECT length(zeroblob(99999))") == 99_999)
    }
  }

  @Test func `a negative limit is zero`() throws {
    var configuration = Configuration()
    configuration.limits.attachedDatabaseCount = -1
    try withDatabase(configuration) { db throws in
      expectDatabaseError(.SQLITE_ERROR, "too many attached databases - max 0") {
        try db.attach(":memory:", as: "other")
      }
    }
  }
}
