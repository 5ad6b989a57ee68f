import Dispatch
import Foundation
import Testing
import TestSupport
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

/// Watching a file without a WAL takes no lock, and shows committed data only.
@Suite struct WatchingReaderTests {
  /// How another process writes.
  enum Mode: String, CaseIterable, Sendable {
    case delete = "journal_mode = DELETE"
    case truncate = "journal_mode = TRUNCATE"
    case persist = "journal_mode = PERSIST"
    case memory = "journal_mode = MEMORY"
    case exclusive = "locking_mode = EXCLUSIVE"
  }

  /// A file with a table `t` on many pages, whose column `n` is zero.
  struct WideFile {
    let directory = TemporaryDirectory()
    var path: String { directory.file() }

    init() throws {
      try SQLiteShell.run(
        path,
        """
        CREATE TABLE t AS
          SELECT value AS id, 0 AS n, hex(zeroblob(500)) AS padding FROM generate_series(1, 200)
        """
      )
    }

    func watch(_ busyMode: Configuration.BusyMode = .timeout(5)) throws -> DatabasePool {
      var configuration = Configuration()
      configuration.readonly = true
      configuration.busyMode = busyMode
      return try DatabasePool(path: path, configuration: configuration)
    }

    static let numbers = ValueObservation.tracking { db in
      try Set(Int.fetchAll(db, sql: "SELECT n FROM t"))
    }

    /// Makes a session that writes in this mode, and into the file before it commits. It has a
    /// time-out, because a read that fails without a lock takes one in the end.
    func write(_ mode: Mode) async throws -> SQLiteSession {
      let session = try SQLiteSession(path)
      await session.run(
        """
        PRAGMA \(mode.rawValue); PRAGMA busy_timeout = 5000;
        PRAGMA cache_size = 5; PRAGMA cache_spill = 5
        """
      )
      return session
    }

    /// Makes the last write to the files seem long ago.
    func age() throws {
      let date = Date(timeIntervalSinceNow: -60)
      for path in [path, path + "-journal"] where FileManager.default.fileExists(atPath: path) {
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
      }
    }
  }

  // MARK: Shown values

  // A read without a lock stops waiting after seconds, so the modes are tested at the same time.
  @Test func `pages that are written before the commit are not shown`() async throws {
    try await withThrowingTaskGroup { group in
      for mode in Mode.allCases {
        group.addTask { try await expectCommittedPages(mode) }
      }
      try await group.waitForAll()
    }
  }

  private func expectCommittedPages(_ mode: Mode) async throws {
    let file = try WideFile()
    let pool = try file.watch(.immediateError)
    let session = try await file.write(mode)
    let before = try Data(contentsOf: URL(fileURLWithPath: file.path))
    #expect(await session.run("BEGIN; UPDATE t SET n = 1") == "", "\(mode)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) != before)
    try file.age()

    let (recorder, cancellable) = WideFile.numbers.record(in: pool)
    // The first value needs a lock, which the writer holds.
    let error = try await recorder.nextError() as? DatabaseError
    #expect(error?.resultCode == .SQLITE_BUSY)
    #expect(await session.run("ROLLBACK; UPDATE t SET n = 2") == "")
    await session.end()
    var last: Set<Int>
    repeat {
      // Until the session has ended there may be more errors.
      last = try await recorder.value { _ in true }
      #expect(last == [0] || last == [2], "\(mode)")
    } while last != [2]
    cancellable.cancel()
  }

  @Test(arguments: Mode.allCases)
  func `a transaction that is rolled back is not shown to a watcher`(mode: Mode) async throws {
    let file = try WideFile()
    let pool = try file.watch(.immediateError)
    let recorder = Recorder<Set<Int>>()
    // A read that fails meanwhile is not an error of this test.
    let cancellable = WideFile.numbers.start(
      in: pool,
      onError: { _ in },
      onChange: { recorder.append($0) }
    )
    #expect(try await recorder.nextValue() == [0])
    let session = try await file.write(mode)
    for _ in 0..<3 {
      _ = await session.run("BEGIN; UPDATE t SET n = 1")
      try file.age()
      _ = await session.run("ROLLBACK")
    }
    // An exclusive session keeps its locks after this.
    #expect(await session.run("UPDATE t SET n = 2") == "")
    #expect(await session.run("UPDATE t SET n = 3") == "")
    await session.end()
    var last: Set<Int>
    repeat {
      last = try await recorder.nextValue()
      #expect(last == [0] || last == [2] || last == [3])
    } while last != [3]
    cancellable.cancel()
  }

  // A transaction that is rolled back leaves the change counter unchanged: pages that were read
  // during the transaction seem current.
  @Test(arguments: [ForeignFile.Journal.delete, .truncate, .persist])
  func `pages of a discarded read are not used again`(journal: ForeignFile.Journal)
    async throws
  {
    let file = try ForeignFile(journal)
    let shell = try SQLiteSession(file.path)
    await shell.run(
      """
      PRAGMA journal_mode = \(journal.rawValue); PRAGMA cache_size = 10;
      CREATE TABLE wide AS
        SELECT value AS id, 0 AS n, hex(zeroblob(300)) AS padding FROM generate_series(1, 2000)
      """
    )
    let pool = try file.watch()
    let runs = Lock(0)
    let (recorder, cancellable) = ValueObservation.tracking { db in
      // Begins to read, but not that table.
      _ = try Item.fetchCount(db)
      let isFirst = runs.withLock { runs in
        runs += 1
        return runs == 1
      }
      if isFirst { shell.runAndWait("BEGIN; UPDATE wide SET n = -1") }
      let numbers = try Int.fetchAll(db, sql: "SELECT DISTINCT n FROM wide")
      if isFirst {
        // Pages that do not fit into the writer's cache are in the file already.
        #expect(numbers.contains(-1))
        shell.runAndWait("ROLLBACK")
      }
      return numbers
    }.record(in: pool)
    #expect(try await recorder.nextValue() == [0])
    #expect(runs.withLock { $0 } > 1)
    cancellable.cancel()
    await shell.end()
  }

  // MARK: Kept journals

  @Test func `a journal that is kept does not count as a transaction`() async throws {
    let file = try WideFile()
    let session = try await file.write(.persist)
    #expect(await session.run("UPDATE t SET n = 1") == "")
    #expect(FileStatus(path: file.path + "-journal")?.size ?? 0 > 0)
    #expect(!JournalGate.isClosed(path: file.path))
    let pool = try file.watch()
    let n = try await pool.read { db in try Int.fetchOne(db, sql: "SELECT n FROM t") }
    #expect(n == 1)
    #expect(await session.run("BEGIN; UPDATE t SET n = 2") == "")
    // A journal counts for a second after it was written, which a busy machine may take.
    utimes(file.path + "-journal", nil)
    #expect(JournalGate.isClosed(path: file.path))
    #expect(await session.run("COMMIT") == "")
    #expect(!JournalGate.isClosed(path: file.path))
  }

  @Test func `values come while a journal that is kept is written all the time`() async throws {
    let file = try WideFile()
    let pool = try file.watch()
    let (recorder, cancellable) = WideFile.numbers.record(in: pool)
    #expect(try await recorder.nextValue() == [0])
    let session = try await file.write(.persist)
    let writer = Task {
      while !Task.isCancelled {
        await session.run("UPDATE t SET n = n + 1 WHERE id = 1")
        // The pace of the writer; the test does not wait for it.
        try await Task.sleep(for: .milliseconds(30))
      }
    }
    defer { writer.cancel() }
    for _ in 0..<5 { #expect(try await recorder.nextValue().count == 2) }
    cancellable.cancel()
  }

  private static func makeReader(_ file: WideFile) -> WatchingReader { makeReader(file.path) }

  /// Makes a reader of a file without a pool.
  static func makeReader(_ path: String) -> WatchingReader {
    var configuration = Configuration()
    configuration.readonly = true
    return WatchingReader(
      FollowedFile(path),
      configuration: configuration,
      label: "test"
    )
  }

  /// Runs a body that waits on a queue of its own: it would hold up the tasks of other tests.
  private static func onQueue<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "test").async { continuation.resume(with: Result { try body() }) }
    }
  }

  @Test func `an interruption ends a read that waits for a transaction`() async throws {
    let file = try WideFile()
    let session = try await file.write(.delete)
    #expect(await session.run("BEGIN; UPDATE t SET n = 1") == "")
    let reader = Self.makeReader(file)
    let hasEnded = Lock(false)
    let read = Task {
      try await Self.onQueue {
        defer { hasEnded.withLock { $0 = true } }
        return try reader.read(waitingUpTo: Patience.limit) { _ in 1 }
      }
    }
    while !hasEnded.withLock({ $0 }) {
      reader.interrupt()
      try await Task.sleep(for: .milliseconds(1))
    }
    let error = await #expect(throws: DatabaseError.self) { try await read.value }
    #expect(error?.resultCode == .SQLITE_INTERRUPT)
    reader.close(waits: true)
    #expect(await session.run("COMMIT") == "")
    await session.end()
  }

  // A lock at the moment of the commit makes it fail, and a slow disk makes that moment last.
  // Without a journal, or after its deletion, only the locks show the transaction.
  @Test(arguments: [Mode.delete, .memory])
  func `a read waits for the end of a slow transaction, and takes no lock`(mode: Mode)
    async throws
  {
    let file = try WideFile()
    let session = try await file.write(mode)
    #expect(await session.run("BEGIN; UPDATE t SET n = 1") == "")
    #expect(JournalGate.hasContent(path: file.path) == (mode == .delete))
    // Its process seems to have died.
    try file.age()
    let reader = Self.makeReader(file)
    let read = Task {
      try await Self.onQueue {
        try reader.read(waitingUpTo: Patience.limit) { db in
          try Int.fetchOne(db, sql: "SELECT max(n) FROM t")
        }
      }
    }
    // Longer than many attempts take.
    await session.run(".shell sleep 1")
    #expect(await session.run("COMMIT") == "")
    #expect(try await read.value == 1)
    // A transaction that takes too long is left to SQLite's locks.
    #expect(await session.run("BEGIN; UPDATE t SET n = 2") == "")
    #expect(try reader.read(waitingUpTo: .zero) { _ in 1 } == nil)
    reader.close(waits: true)
    await session.end()
  }

  // MARK: Locks

  /// Whether this process holds a lock that keeps other processes from writing.
  private func isLocked(_ path: String) -> Bool {
    (try? SQLiteShell.run(path, "BEGIN EXCLUSIVE")) == nil
  }

  @Test func `a probe of the locks of a file drops no lock of this process`() throws {
    let file = try WideFile()
    let aside = file.directory.file("aside.sqlite")
    let pool = try file.watch()
    let probes = FileProbes()
    try pool.read { db in
      _ = try Int.fetchOne(db, sql: "SELECT n FROM t")
      #expect(isLocked(file.path))
      #expect(probes.probe(file.path) != nil)
      #expect(rename(file.path, aside) == 0)
      #expect(probes.probe(file.path) == nil)
      try SQLiteShell.run(file.path, "CREATE TABLE other (x)")
      #expect(probes.probe(file.path) != nil)
      #expect(rename(aside, file.path) == 0)
      #expect(probes.probe(file.path) != nil)
      #expect(isLocked(file.path))
      probes.close()
      #expect(isLocked(file.path))
    }
    #expect(!isLocked(file.path))
  }

  @Test func `a reader keeps its lock while its file is away`() async throws {
    let file = try WideFile()
    let aside = file.directory.file("aside.sqlite")
    let pool = try file.watch()
    let (recorder, cancellable) = WideFile.numbers.record(in: pool)
    #expect(try await recorder.nextValue() == [0])
    let began = Recorder<Void>()
    let mayEnd = DispatchSemaphore(value: 0)
    let read = Task {
      try await pool.read { db in
        _ = try Int.fetchOne(db, sql: "SELECT n FROM t")
        began.append(())
        mayEnd.wait()
      }
    }
    try await began.nextValue()
    #expect(isLocked(file.path))
    #expect(rename(file.path, aside) == 0)
    _ = try await recorder.nextError()
    #expect(rename(aside, file.path) == 0)
    // An attempt at the very moment of the renaming fails once more.
    _ = try await recorder.value { $0 == [0] }
    #expect(isLocked(file.path))
    mayEnd.signal()
    try await read.value
    cancellable.cancel()
  }
}
