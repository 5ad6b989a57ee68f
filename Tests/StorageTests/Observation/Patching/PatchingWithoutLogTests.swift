import Testing
import TestSupport
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

/// Queries of a queue whose file has a rollback journal are patched, though other connections
/// commit too.
@Suite("Patches without a WAL") struct PatchingWithoutLogTests {
  private static let total = 800
  private let directory = TemporaryDirectory()

  private struct Account: Codable, Hashable, Sendable, FetchableRecord {
    let id: Int64
    let amount: Int
  }

  private static let accounts = SQLRequest<Account>(
    sql: "SELECT id, amount FROM account ORDER BY amount, id"
  )

  /// Moves an amount from one account to another account.
  private static func transfer(_ generator: inout SeededGenerator) -> String {
    let (from, to) = (generator.number(in: 0..<8), generator.number(in: 0..<8))
    let amount = generator.number(in: 1..<5)
    return """
      BEGIN IMMEDIATE; UPDATE account SET amount = amount - \(amount) WHERE id = \(from); \
      UPDATE account SET amount = amount + \(amount) WHERE id = \(to); COMMIT
      """
  }

  private func makeQueue() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.patchingThreshold = 0
    configuration.journalMode = .default
    let queue = try DatabaseQueue(
      path: directory.file("accounts.sqlite"),
      configuration: configuration
    )
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE account (id INTEGER PRIMARY KEY, amount INTEGER NOT NULL)")
      for id in 0..<8 {
        try db.execute(sql: "INSERT INTO account VALUES (?, ?)", arguments: [id, Self.total / 8])
      }
    }
    return queue
  }

  @Test func `own commits are patched`() async throws {
    let queue = try makeQueue()
    #expect(try await queue.read { db in try db.mainJournalMode() } == "delete")
    let values = Lock<[[Account]]>([])
    let observation = ValueObservation.tracking(Self.accounts).start(in: queue) {
      Issue.record($0)
    } onChange: { value in
      values.withLock { $0.append(value) }
    }
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<40 {
      let sql = Self.transfer(&generator)
      try await queue.writeWithoutTransaction { db in try db.execute(sql: sql) }
      try await queue.quiesce()
      let fresh = try await queue.read { db in try Self.accounts.fetchAll(db) }
      #expect(values.withLock { $0.last } == fresh)
    }
    #expect(queue.observationStatistics.patches > 30)
    observation.cancel()
  }

  @Test func `a foreign commit between a commit and the patch makes the query run`() async throws {
    let queue = try makeQueue()
    let shell = try SQLiteSession(directory.file("accounts.sqlite"))
    let sums = Lock<[Int]>([])
    let observation = ValueObservation.tracking(Self.accounts).start(in: queue) {
      Issue.record($0)
    } onChange: { value in
      sums.withLock { $0.append(value.reduce(0) { $0 + $1.amount }) }
    }
    try await queue.quiesce()
    for _ in 0..<5 {
      try await queue.writeWithoutTransaction { db in
        try db.execute(
          sql: """
            BEGIN IMMEDIATE; UPDATE account SET amount = amount - 1 WHERE id = 0; \
            UPDATE account SET amount = amount + 1 WHERE id = 1; COMMIT
            """
        )
        // The patch waits for the connection.
        shell.runAndWait(
          """
          BEGIN IMMEDIATE; UPDATE account SET amount = amount - 1 WHERE id = 1; \
          UPDATE account SET amount = amount + 1 WHERE id = 2; COMMIT
          """
        )
      }
      try await queue.quiesce()
    }
    #expect(sums.withLock { Set($0) } == [Self.total])
    observation.cancel()
    await shell.end()
  }

  @Test func `each value is a committed state while another process and a queue commit`()
    async throws
  {
    let queue = try makeQueue()
    let other = try DatabaseQueue(path: directory.file("accounts.sqlite"))
    let shell = try SQLiteSession(directory.file("accounts.sqlite"))
    await shell.run("PRAGMA busy_timeout = 20000; PRAGMA synchronous = off")
    let sums = Lock<Set<Int>>([])
    let last = Lock<[Account]>([])
    let observation = ValueObservation.tracking(Self.accounts).start(in: queue) {
      Issue.record($0)
    } onChange: { value in
      sums.withLock { _ = $0.insert(value.reduce(0) { $0 + $1.amount }) }
      last.withLock { $0 = value }
    }
    var generator = SeededGenerator(seed: 2)
    for round in 0..<Soak.size(300, inSuite: 6) {
      let foreign = (0..<6).map { _ in Self.transfer(&generator) }.joined(separator: "; ")
      let own = (0..<12).map { _ in Self.transfer(&generator) }
      async let output = shell.run(foreign)
      for (number, sql) in own.enumerated() {
        let writer = number % 4 == 3 ? other : queue
        // SQLite may find the file locked.
        try await writer.writeWithoutTransaction { db in
          do {
            try db.execute(sql: sql)
          } catch let error as DatabaseError
            where error.resultCode.primaryResultCode == .SQLITE_BUSY
          {
            if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
          }
        }
      }
      _ = await output
      try await queue.quiesce()
      let fresh = try await queue.read { db in try Self.accounts.fetchAll(db) }
      guard last.withLock({ $0 }) == fresh else {
        Issue.record("round \(round): \(last.withLock { $0 }) != \(fresh)")
        break
      }
    }
    #expect(sums.withLock { $0 } == [Self.total])
    #expect(queue.observationStatistics.patches > 10)
    observation.cancel()
    await shell.end()
  }
}
