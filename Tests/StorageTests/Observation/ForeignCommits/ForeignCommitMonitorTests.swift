import CWellspringSQLite
import Foundation
import Testing
import TestSupport
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

/// When a file is checked for foreign commits, and which commits all kinds of readers notice.
@Suite struct ForeignCommitMonitorTests {
  /// Records its calls, and returns the finding that the test has set.
  private final class Probe: ForeignCommitProbe {
    enum Call: Equatable, Sendable {
      case look
      /// A look that finds something.
      case find
      case rest
    }

    let calls = Recorder<Call>()
    let next = Lock(ForeignCommitFinding.none)

    func adopt() {}

    func look(completion: @escaping @Sendable (ForeignCommitFinding) -> Void) {
      let found = next.withLock { next in
        defer { next = .none }
        return next
      }
      calls.append(found == .none ? .look : .find)
      completion(found)
    }

    var found: FoundCommits { .unknown(.noLog) }

    var attachedFiles: [String] { [] }
    func rest() { calls.append(.rest) }
    func fileWasReplaced() {}
  }

  // With an fsync, much time passes between the event of a write and the visible commit.
  @Test(.patient)
  func `P1: a commit found without an event is looked for again before the probe rests`()
    async throws
  {
    let directory = TemporaryDirectory()
    try Data().write(to: URL(fileURLWithPath: directory.file()))
    let probe = Probe()
    let monitor = ForeignCommitMonitor(FollowedFile(directory.file()), probe: probe) { 0 }
    let changes = Recorder<Void>()
    monitor.setHandlers(
      didChange: { _ in changes.append(()) },
      didTick: {},
      isNeeded: { true }
    )
    monitor.resumeAndWait()
    defer { monitor.stop() }
    // The first sequence of looks ends with a rest, and so does each tick that finds nothing.
    var last: [Probe.Call] = []
    while last.suffix(3) != [.rest, .look, .rest] { last.append(try await probe.calls.nextValue()) }
    probe.next.withLock { $0 = .some }
    while try await probe.calls.nextValue() != .find {}
    _ = try await changes.nextValue()
    #expect(try await probe.calls.nextValue() == .look)
    #expect(try await probe.calls.nextValue() == .rest)
  }

  // A connection of the same process, which the library does not know.
  @Test(arguments: [
    (ForeignFile.Journal.wal, true), (.wal, false), (.delete, true), (.delete, false),
  ])
  func `the commits of another connection of this process are seen`(
    journal: ForeignFile.Journal,
    isWatcher: Bool
  )
    async throws
  {
    let file = try ForeignFile(journal)
    let reader: any DatabaseReader =
      isWatcher ? try file.watch() : try DatabaseQueue(path: file.path)
    let (recorder, cancellable) = Shop.items.record(in: reader)
    #expect(try await recorder.nextValue() == [.cup, .pot])
    var connection: OpaquePointer?
    #expect(sqlite3_open(file.path, &connection) == SQLITE_OK)
    sqlite3_busy_timeout(connection, 5000)
    for price in 1...10 {
      let sql = "UPDATE item SET price = \(price)"
      #expect(sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK)
      _ = try await recorder.value { $0.first?.price == Double(price) }
    }
    sqlite3_close(connection)
    cancellable.cancel()
  }

  // The cost of resting is a benchmark: see `IdleWatching`.
  @Test func `watching for foreign commits rests while nothing happens`() async throws {
    for journal in [ForeignFile.Journal.wal, .delete] {
      let file = try ForeignFile(journal)
      for reader in [try file.watch(), try DatabaseQueue(path: file.path)] as [any DatabaseReader] {
        let (recorder, cancellable) = Shop.items.record(in: reader)
        _ = try await recorder.nextValue()
        let monitor = try #require(reader.observableCore.broker.monitor)
        // The looks after the start end on their own.
        try await eventually { monitor.isResting }
        cancellable.cancel()
      }
    }
  }

  // A pool that writes a file gives it a WAL.
  @Test(arguments: ForeignFile.Journal.allCases.map { ($0, true) } + [(.wal, false)])
  func `rollbacks and readers of other processes run no query`(
    journal: ForeignFile.Journal,
    isWatcher: Bool
  )
    async throws
  {
    let file = try ForeignFile(journal)
    let pool = isWatcher ? try file.watch() : try DatabasePool(path: file.path)
    let (recorder, cancellable) = Shop.items.record(in: pool)
    _ = try await recorder.nextValue()
    // A first commit, so that its looks do not count.
    try SQLiteShell.run(file.path, "UPDATE item SET price = 5")
    _ = try await recorder.value { $0.first?.price == 5 }
    try await untilSettled(file, pool)
    let before = pool.observationStatistics
    try SQLiteShell.run(
      file.path,
      """
      PRAGMA journal_mode = \(journal.rawValue); BEGIN IMMEDIATE; DELETE FROM item; ROLLBACK;
      BEGIN IMMEDIATE; COMMIT; SELECT count(*) FROM item
      """
    )
    try await pool.quiesce()
    #expect(pool.observationStatistics.runs == before.runs)
    cancellable.cancel()
  }

  /// Waits until looks at the file run no more queries.
  private func untilSettled(_ file: ForeignFile, _ pool: DatabasePool) async throws {
    let monitor = try #require(pool.observableCore.broker.monitor)
    var last = -1
    repeat {
      last = pool.observationStatistics.runs
      // Until then, a watcher keeps a WAL from being removed.
      try await eventually { monitor.isResting }
      // The last connection to close a WAL moves its content into the file. To a watcher, this
      // seems to be a commit. While the watcher looks, no connection is the last one, and the log
      // remains: only after its end can nothing else seem to be a commit.
      try SQLiteShell.run(file.path, "PRAGMA wal_checkpoint; SELECT count(*) FROM item")
      try await pool.quiesce()
    } while pool.observationStatistics.runs != last
      || pool.configuration.readonly && FileStatus(path: file.path + "-wal") != nil
  }
}
