import Storage
import Testing
import WellspringSystem

@Suite struct ErrorLogTests {
  @Test func `A-024: the error log receives SQLite's errors`() async {
    // The log is global to the process, so the test runs in a separate process.
    await #expect(processExitsWith: .success) {
      let entries = Lock<[String]>([])
      let queue = try DatabaseQueue()
      // The function can be set after the first connection was opened.
      Database.logError = { code, message in
        entries.withLock { $0.append("\(code.rawValue) \(message)") }
      }
      #expect(throws: DatabaseError.self) {
        try queue.write { db in try db.execute(sql: "SELECT * FROM missing") }
      }
      let logged = entries.withLock { $0 }
      try #require(logged.contains { $0.hasPrefix("1 no such table: missing") }, "\(logged)")
      Database.logError = nil
      #expect(throws: DatabaseError.self) {
        try queue.write { db in try db.execute(sql: "SELECT * FROM missing") }
      }
      try #require(entries.withLock { $0 } == logged)
    }
  }
}
