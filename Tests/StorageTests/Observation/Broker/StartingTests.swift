import Storage
import Testing
import TestSupport
import WellspringSystem

@testable import StorageTestSupport

/// The start of an observation while other connections write, hold locks or fetch.
@Suite struct StartingTests {
  /// Starts an observation whose first value comes before this returns, unless it cannot be waited
  /// for.
  private static func startItems(
    in pool: DatabasePool,
    into recorder: Recorder<[Item]>
  ) -> AnyDatabaseCancellable {
    Shop.items.start(
      in: pool,
      scheduling: .immediate,
      onError: { recorder.append(error: $0) },
      onChange: { recorder.append($0) }
    )
  }

  @Test func `an async start does not wait for the lock of another process`() async throws {
    let directory = TemporaryDirectory()
    let path = directory.file()
    try SQLiteShell.run(path, "\(Item.schema); INSERT INTO item VALUES (1, 'cup', 4)")
    let queue = try DatabaseQueue(path: path)
    let session = try SQLiteSession(path)
    #expect(await session.run("BEGIN EXCLUSIVE") == "")
    // If the start waited for the lock, it would time out with an error.
    let (recorder, cancellable) = Shop.items.record(in: queue)
    #expect(await session.run("UPDATE item SET price = 5; COMMIT") == "")
    #expect(try await recorder.nextValue().map(\.price) == [5])
    cancellable.cancel()
  }

  @Test(arguments: [ForeignFile.Journal.wal, .delete])
  func `an immediate start inside the fetch of a read-only pool gets its value later`(
    journal: ForeignFile.Journal
  ) async throws {
    let file = try ForeignFile(journal)
    let pool = try file.watch()
    let inner = Recorder<[Item]>()
    let kept = Lock<[AnyDatabaseCancellable]>([])
    let (outer, cancellable) = ValueObservation.tracking { db in
      let isFirst = kept.withLock { $0.isEmpty }
      if isFirst {
        let cancellable = Self.startItems(in: pool, into: inner)
        kept.withLock { $0.append(cancellable) }
      }
      return try Item.fetchAll(db, sql: "SELECT * FROM item ORDER BY id")
    }.record(in: pool)
    #expect(try await outer.nextValue() == [.cup, .pot])
    // An error may come before the value, unless the value overtakes it.
    _ = try await inner.value { $0 == [.cup, .pot] }
    try SQLiteShell.run(file.path, "DELETE FROM item WHERE id = 1")
    #expect(try await inner.nextValue() == [.pot])
    #expect(try await outer.nextValue() == [.pot])
    cancellable.cancel()
    kept.withLock { $0.removeAll() }
  }

  // The access of the writer has begun without an observer, and ends with one.
  @Test func `a start during a write does not take the write for a foreign commit`() async throws {
    let shop = try Shop()
    let pool = shop.pool
    try await pool.write { db in try db.execute(sql: "CREATE TABLE other (a)") }
    let recorder = Recorder<[Item]>()
    let observation = Lock<AnyDatabaseCancellable?>(nil)
    try await pool.writeWithoutTransaction { db in
      try onAnotherThread {
        let cancellable = Self.startItems(in: pool, into: recorder)
        observation.withLock { $0 = cancellable }
      }
      #expect(pool.observationStatistics.commits == 0)
      try db.execute(sql: "INSERT INTO other VALUES (1)")
    }
    try await pool.quiesce()
    #expect(pool.observationStatistics.commits == 1)
    #expect(try await recorder.nextValue() == [.cup, .pot])
    observation.withLock { $0?.cancel() }
  }
}
