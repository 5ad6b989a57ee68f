import Foundation
import Testing
import TestSupport
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

/// Files that other processes write, and this process only watches.
@Suite struct WatcherProbeTests {
  @Test(arguments: ForeignFile.Journal.allCases)
  func `a watched file is followed`(journal: ForeignFile.Journal) async throws {
    let file = try ForeignFile(journal)
    let pool = try file.watch()
    let (recorder, cancellable) = Shop.items.record(in: pool)
    #expect(try await recorder.nextValue() == [.cup, .pot])
    try SQLiteShell.run(file.path, "DELETE FROM item WHERE id = 1")
    #expect(try await recorder.nextValue() == [.pot])
    cancellable.cancel()
  }

  // Without a time-out, a write that meets a reader fails immediately.
  @Test(arguments: [ForeignFile.Journal.wal, .delete])
  func `a watcher makes no write of another process fail, and sees the last one`(
    journal: ForeignFile.Journal
  )
    async throws
  {
    let file = try ForeignFile(journal)
    let pool = try file.watch()
    let (recorder, cancellable) = Shop.items.record(in: pool)
    _ = try await recorder.nextValue()
    for price in 1...100 {
      try SQLiteShell.run(file.path, "UPDATE item SET price = \(price)")
    }
    let last = try await recorder.value { $0.first?.price == 100 }
    #expect(last.map(\.price) == [100, 100])
    cancellable.cancel()
  }

  // Each transaction changes all rows, on many pages: a read that overlaps a write would show rows
  // from before and after it.
  @Test(arguments: ForeignFile.Journal.allCases)
  func `soak: no value shows half a transaction`(journal: ForeignFile.Journal) async throws {
    let file = try ForeignFile(journal)
    try SQLiteShell.run(
      file.path,
      """
      CREATE TABLE wide AS
        SELECT value AS id, 0 AS n, hex(zeroblob(300)) AS padding FROM generate_series(1, 2000)
      """
    )
    let pool = try file.watch()
    let (recorder, cancellable) = ValueObservation.tracking { db in
      try Row.fetchOne(db, sql: "SELECT min(n), max(n), sum(n), count(*) FROM wide")
    }.record(in: pool)
    _ = try await recorder.nextValue()
    let update = "UPDATE wide SET n = n + 1; "
    let updates = Soak.size(100, inSuite: 12)
    let rolledBack = "BEGIN; UPDATE wide SET n = -1; ROLLBACK; "
    let writer = Task.detached {
      try SQLiteShell.run(
        file.path,
        "PRAGMA journal_mode = \(journal.rawValue); PRAGMA busy_timeout = 5000; "
          + "PRAGMA cache_size = 10; " + String(repeating: update + rolledBack, count: updates)
      )
    }
    var last = 0
    while last < updates {
      let row: Row
      switch try await recorder.next() {
      case .value(let value): row = try #require(value)
      // On a busy machine the writer may leave no moment for a read. That error passes.
      case .error(DatabaseError.SQLITE_BUSY): continue
      case .error(let error): throw error
      }
      let minimum: Int = row[0]
      #expect(
        row
          == Row(["min(n)": minimum, "max(n)": minimum, "sum(n)": minimum * 2000, "count(*)": 2000])
      )
      #expect(minimum >= last)
      last = minimum
    }
    _ = try await writer.value
    cancellable.cancel()
  }

  @Test(arguments: [ForeignFile.Journal.wal, .delete])
  func `a watched file is neither changed nor locked`(journal: ForeignFile.Journal) async throws {
    let file = try ForeignFile(journal)
    let before = try Data(contentsOf: URL(fileURLWithPath: file.path))
    let pool = try file.watch()
    let (recorder, cancellable) = Shop.items.record(in: pool)
    _ = try await recorder.nextValue()
    let mode = try await pool.read { db in try String.fetchOne(db, sql: "PRAGMA journal_mode") }
    #expect(mode == journal.rawValue)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == before)
    // Leaving WAL mode takes a lock that excludes all other connections.
    try await eventually {
      (try? SQLiteShell.run(file.path, "PRAGMA journal_mode = MEMORY")) == "memory"
    }
    if journal == .wal {
      // A read that found a WAL just before its end takes a lock for a moment.
      try SQLiteShell.run(file.path, "PRAGMA busy_timeout = 5000; UPDATE item SET price = 8")
      _ = try await recorder.value { $0.first?.price == 8 }
    }
    try SQLiteShell.run(file.path, "BEGIN EXCLUSIVE; UPDATE item SET price = 9; COMMIT")
    _ = try await recorder.value { $0.first?.price == 9 }
    cancellable.cancel()
  }

  @Test func `a write through a watching pool is refused`() async throws {
    let file = try ForeignFile(.wal)
    let pool = try file.watch()
    await #expect {
      try await pool.write { db in try db.execute(sql: "DELETE FROM item") }
    } throws: { error in
      (error as? DatabaseError)?.message
        == "\(file.path) was opened with Configuration.readonly: it cannot be written"
    }
    await #expect {
      try await pool.read { db in try db.execute(sql: "DELETE FROM item") }
    } throws: { error in
      (error as? DatabaseError)?.message
        == "\(file.path) was opened with Configuration.readonly: it cannot be written"
    }
  }

  @Test(arguments: [ForeignFile.Journal.wal, .delete])
  func `a file that is replaced or goes missing is followed`(journal: ForeignFile.Journal)
    async throws
  {
    let file = try ForeignFile(journal)
    let pool = try file.watch()
    let (recorder, cancellable) = Shop.items.record(in: pool)
    _ = try await recorder.nextValue()

    let other = try ForeignFile(.delete)
    try SQLiteShell.run(other.path, "DELETE FROM item WHERE id = 1")
    try removeSidecars(file.path)
    try rename(other.path, to: file.path)
    _ = try await recorder.value { $0 == [.pot] }

    let aside = file.directory.file("aside.sqlite")
    try rename(file.path, to: aside)
    let error = try await recorder.nextError() as? DatabaseError
    #expect(error?.message == "\(file.path) does not exist, or cannot be created")
    try rename(aside, to: file.path)
    // An attempt at the very moment of the renaming fails once more.
    _ = try await recorder.value { $0 == [.pot] }
    cancellable.cancel()
  }

  // The watching pool has the WAL of the file open that was there before, so that it stays.
  @Test func `P1: commits to a file without WAL are found beside the WAL of the file before`()
    async throws
  {
    let file = try ForeignFile(.wal)
    let pool = try file.watch()
    let (recorder, cancellable) = Shop.items.record(in: pool)
    _ = try await recorder.nextValue()
    let other = try ForeignFile(.delete)
    try SQLiteShell.run(other.path, "DELETE FROM item WHERE id = 1")
    // An empty WAL with its index, as a connection leaves them that is open during the move.
    let reader = try SQLiteSession(file.path)
    await reader.run("SELECT count(*) FROM item")
    try rename(other.path, to: file.path)
    await reader.kill()
    #expect(FileManager.default.fileExists(atPath: file.path + "-wal"))
    _ = try await recorder.value { $0 == [.pot] }
    for price in [101.0, 102, 103] {
      try SQLiteShell.run(file.path, "UPDATE item SET price = \(price) WHERE id = 2")
      _ = try await recorder.value { $0.first?.price == price }
    }
    #expect(FileManager.default.fileExists(atPath: file.path + "-wal"))
    cancellable.cancel()
  }

  @Test(arguments: [ForeignFile.Journal.wal, .delete])
  func `a writer that is killed leaves committed data only`(journal: ForeignFile.Journal)
    async throws
  {
    let file = try ForeignFile(journal)
    let pool = try file.watch()
    let (recorder, cancellable) = Shop.items.record(in: pool)
    _ = try await recorder.nextValue()

    // A small cache makes the writer write before it commits.
    let writer = try SQLiteSession(file.path)
    await writer.run(
      """
      PRAGMA cache_size = 1; PRAGMA cache_spill = 1;
      BEGIN; UPDATE item SET name = 'uncommitted';
      INSERT INTO item SELECT value, 'uncommitted ' || hex(randomblob(500)), 1
        FROM generate_series(100, 600)
      """
    )
    await writer.kill()

    // The next writer finds the transaction, and rolls it back.
    try SQLiteShell.run(file.path, "UPDATE item SET price = 5 WHERE id = 2")
    let items = try await recorder.value { $0.last?.price == 5 }
    #expect(items.map(\.name) == ["cup", "pot"])
    cancellable.cancel()
  }

  // In hours from now. Nanoseconds since 1970 have room for 292 years.
  @Test(arguments: [1, 250 * 365 * 24])
  func `a file from the future does not count as changed all the time`(hours: Double) async throws {
    let file = try ForeignFile(.delete)
    let future = Date(timeIntervalSinceNow: hours * 3600)
    try FileManager.default.setAttributes([.modificationDate: future], ofItemAtPath: file.path)
    let pool = try file.watch()
    let (recorder, cancellable) = Shop.items.record(in: pool)
    #expect(try await recorder.nextValue() == [.cup, .pot])
    // At first the file has not been seen for long enough.
    try await pool.quiesce()
    let before = pool.observationStatistics.runs
    for _ in 0..<3 { try await pool.quiesce() }
    #expect(pool.observationStatistics.runs == before)
    try SQLiteShell.run(file.path, "DELETE FROM item WHERE id = 1")
    #expect(try await recorder.nextValue() == [.pot])
    cancellable.cancel()
  }

  // On a slow disk, the commit of a WAL that was written long ago becomes visible when the looks
  // after the write are over. The test takes the commit out of the WAL's index, and puts it back.
  @Test func `P1: a commit that becomes visible long after its write is found`() async throws {
    let file = try ForeignFile(.wal)
    let writer = try SQLiteSession(file.path)
    await writer.run("UPDATE item SET price = 1")
    let index = try WALIndexHeader(path: file.path + "-shm")
    let before = index.bytes
    let probe = WatcherProbe(watching: file.path)
    probe.adopt()

    await writer.run("UPDATE item SET price = 2")
    let after = index.bytes
    #expect(after != before)
    index.bytes = before
    // Until the kernel's clock has ticked, each look opens a connection.
    try await eventually {
      while probe.look() != .none {}
      probe.rest()
      return probe.look() == .none
    }

    index.bytes = after
    #expect(probe.look() == .some)
    await writer.end()
  }

  // The second process builds the same index beside an empty WAL as the first one.
  @Test func `P1: a commit is found whose log was removed before another process came`()
    async throws
  {
    let file = try ForeignFile(.wal)
    let first = try SQLiteSession(file.path)
    await first.run("SELECT * FROM item")
    let probe = WatcherProbe(watching: file.path)
    try await eventually {
      probe.adopt()
      return probe.look() == .none
    }
    await first.run("UPDATE item SET price = 1")
    await first.end()
    let second = try SQLiteSession(file.path)
    await second.run("SELECT * FROM item")
    var finding = ForeignCommitFinding.unsettled
    try await eventually {
      finding = probe.look()
      return finding != .unsettled
    }
    #expect(finding == .some)
    await second.end()
  }

  @Test func `soon after a commit, looks leave another process to leave WAL mode`() async throws {
    let file = try ForeignFile(.wal)
    let writer = try ChildProcess(["sqlite3", "-batch", file.path])
    writer.write("SELECT 'ready' FROM item LIMIT 1;\n")
    _ = writer.read(until: "ready\n")
    let probe = WatcherProbe(watching: file.path)
    probe.adopt()
    for price in 1...20 {
      try SQLiteShell.run(file.path, "UPDATE item SET price = \(price)")
      #expect(probe.look() == .some)
      #expect(probe.look() == .none)
    }
    writer.endInput()
    writer.wait()
    // No event and no rest ends the hold. Looks that find nothing end it.
    try await eventually {
      probe.look() == .none
        && (try? SQLiteShell.run(file.path, "PRAGMA journal_mode = DELETE")) == "delete"
    }
  }

  // Both files have the same numbers of changes and of schema changes.
  @Test(arguments: [ForeignFile.Journal.delete, .truncate, .persist])
  func `P3: a file that is overwritten in place is followed`(journal: ForeignFile.Journal)
    async throws
  {
    let file = try ForeignFile(journal)
    let other = file.directory.file("other.sqlite")
    try SQLiteShell.run(
      other,
      """
      PRAGMA journal_mode = \(journal.rawValue);
      CREATE TABLE item (price REAL, name TEXT NOT NULL, more, id INTEGER PRIMARY KEY);
      INSERT INTO item (id, name, price) VALUES (2, 'pot', NULL)
      """
    )
    let pool = try file.watch()
    let (recorder, cancellable) = Shop.items.record(in: pool)
    #expect(try await recorder.nextValue() == [.cup, .pot])
    try SymbolicLinkTests.run("cat other.sqlite > test.sqlite", in: file.directory)
    _ = try await recorder.value { $0 == [.pot] }
    cancellable.cancel()
  }

  // MARK: Helpers

  private func rename(_ old: String, to new: String) throws {
    guard Foundation.rename(old, new) == 0 else { throw POSIXError(.init(rawValue: errno)!) }
  }

  private func removeSidecars(_ path: String) throws {
    for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
  }
}

/// The header of a WAL's index, which a test changes behind SQLite's back.
private final class WALIndexHeader {
  // It stays open: closing it would release the locks of this process.
  private let descriptor: Int32

  init(path: String) throws {
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    try #require(descriptor >= 0)
  }

  var bytes: [UInt8] {
    get {
      [UInt8](unsafeUninitializedCapacity: 96) { buffer, count in
        count = pread(descriptor, buffer.baseAddress, 96, 0)
      }
    }
    set { pwrite(descriptor, newValue, newValue.count, 0) }
  }
}
