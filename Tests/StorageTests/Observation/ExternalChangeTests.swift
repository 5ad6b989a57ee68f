import CWellspringSQLite
import Foundation
import Storage
import Testing
import WellspringPlatform

/// Files that other processes write, and this one only watches.
@Suite struct ExternalChangeTests {
  enum Journal: String, CaseIterable, Sendable {
    case wal
    case delete
    case truncate
    case persist
    case memory
  }

  /// A file with the items ``Item/cup`` and ``Item/pot``, made by another process.
  struct ForeignFile {
    let directory = TemporaryDirectory()
    var path: String { directory.file() }

    init(_ journal: Journal) throws {
      try SQLiteShell.run(
        path,
        """
        PRAGMA journal_mode = \(journal.rawValue); \(Item.schema);
        INSERT INTO item VALUES (1, 'cup', 4), (2, 'pot', NULL)
        """
      )
    }

    func watch() throws -> DatabasePool {
      var configuration = Configuration()
      configuration.readonly = true
      return try DatabasePool(path: path, configuration: configuration)
    }
  }

  @Test(arguments: Journal.allCases)
  func `a watched file is followed`(journal: Journal) async throws {
    let file = try ForeignFile(journal)
    let pool = try file.watch()
    let (recorder, cancellable) = Shop.items.record(in: pool)
    #expect(try await recorder.nextValue() == [.cup, .pot])
    try SQLiteShell.run(file.path, "DELETE FROM item WHERE id = 1")
    #expect(try await recorder.nextValue() == [.pot])
    cancellable.cancel()
  }

  // Without a time-out, a write that meets a reader fails at once.
  @Test(arguments: [Journal.wal, .delete])
  func `no write of another process fails, and the last one is seen`(journal: Journal) async throws
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

  // Each transaction changes all rows, on many pages: a read that overlaps a write would show some of
  // both.
  @Test(arguments: Journal.allCases)
  func `no value shows half a transaction`(journal: Journal) async throws {
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
    let undone = "BEGIN; UPDATE wide SET n = -1; ROLLBACK; "
    let writer = Task.detached {
      try SQLiteShell.run(
        file.path,
        "PRAGMA journal_mode = \(journal.rawValue); PRAGMA busy_timeout = 5000; PRAGMA cache_size = 10; "
          + String(repeating: update + undone, count: 20)
      )
    }
    var last = 0
    while last < 20 {
      let row: Row
      switch try await recorder.next() {
      case .value(let value): row = try #require(value)
      // On a busy machine the writer may leave no moment for a read, which is told, and passes.
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

  // The counter of changes is the same before a transaction and after its end when it is undone: pages
  // that were read in between look current.
  @Test(arguments: [Journal.delete, .truncate, .persist])
  func `what a read saw that was thrown away is not seen again`(journal: Journal) async throws {
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
      // Begins to read, but for the table.
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

  @Test(arguments: [Journal.wal, .delete])
  func `a writing pool follows others`(journal: Journal) async throws {
    let file = try ForeignFile(journal)
    let queue = try DatabaseQueue(path: file.path)
    let (recorder, cancellable) = Shop.items.record(in: queue)
    _ = try await recorder.nextValue()
    for price in 1...20 {
      try SQLiteShell.run(file.path, "PRAGMA busy_timeout = 5000; UPDATE item SET price = \(price)")
    }
    _ = try await recorder.value { $0.first?.price == 20 }
    cancellable.cancel()
  }

  // Of the same process, but none of the library's.
  @Test(arguments: [(Journal.wal, true), (.wal, false), (.delete, true), (.delete, false)])
  func `another connection of this process is followed`(journal: Journal, isWatcher: Bool)
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

  private static let idleSeconds = Soak.size(20, inSuite: 2)

  @Test func `soak: following others takes next to nothing while nothing happens`() async throws {
    let seconds = Self.idleSeconds
    await #expect(processExitsWith: .success) { [seconds = seconds as Int] in
      func processorTime() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
      var running: [AnyDatabaseCancellable] = []
      for journal in [Journal.wal, .delete] {
        let file = try ForeignFile(journal)
        for reader in [try file.watch(), try DatabaseQueue(path: file.path)] as [any DatabaseReader]
        {
          let (recorder, cancellable) = Shop.items.record(in: reader)
          _ = try await recorder.nextValue()
          running.append(cancellable)
        }
      }
      // The looks of the beginning end after a second.
      try await Task.sleep(for: .seconds(2))
      let before = processorTime()
      try await Task.sleep(for: .seconds(seconds))
      let share = (processorTime() - before) / Double(seconds)
      // Four are observed. The clock of so short a time is coarse.
      precondition(share < (seconds < 10 ? 0.01 : 0.004), "\(share) of a core")
      for cancellable in running { cancellable.cancel() }
    }
  }

  @Test func `own commits and those of others are all seen`() async throws {
    let shop = try Shop()
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    _ = try await recorder.nextValue()
    for id in 10..<40 {
      try await shop.pool.write { db in try Item(id: Int64(id), name: "own", price: 1).insert(db) }
      try SQLiteShell.run(shop.path, "INSERT INTO item VALUES (\(id + 100), 'foreign', 1)")
    }
    let items = try await recorder.value { $0.count == 62 }
    #expect(items.count { $0.name == "foreign" } == 30)
    cancellable.cancel()
  }

  @Test(arguments: [Journal.wal, .delete])
  func `a watched file is neither changed nor locked`(journal: Journal) async throws {
    let file = try ForeignFile(journal)
    let before = try Data(contentsOf: URL(fileURLWithPath: file.path))
    let pool = try file.watch()
    let (recorder, cancellable) = Shop.items.record(in: pool)
    _ = try await recorder.nextValue()
    let mode = try await pool.read { db in try String.fetchOne(db, sql: "PRAGMA journal_mode") }
    #expect(mode == journal.rawValue)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == before)
    // Leaving WAL mode takes the lock that no other connection may share.
    try await eventually {
      (try? SQLiteShell.run(file.path, "PRAGMA journal_mode = MEMORY")) == "memory"
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
        == "attempt to write through a read-only access: use write instead of read"
    }
  }

  @Test(arguments: [Journal.wal, .delete])
  func `a file that is replaced or goes missing is followed`(journal: Journal) async throws {
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
    #expect(try await recorder.nextValue() == [.pot])
    cancellable.cancel()
  }

  @Test(arguments: [Journal.wal, .delete])
  func `a writer that is killed leaves committed data only`(journal: Journal) async throws {
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

    // The next writer finds the transaction, and undoes it.
    try SQLiteShell.run(file.path, "UPDATE item SET price = 5 WHERE id = 2")
    let items = try await recorder.value { $0.last?.price == 5 }
    #expect(items.map(\.name) == ["cup", "pot"])
    cancellable.cancel()
  }

  // MARK: Helpers

  private func rename(_ old: String, to new: String) throws {
    guard Foundation.rename(old, new) == 0 else { throw POSIXError(.init(rawValue: errno)!) }
  }

  private func removeSidecars(_ path: String) throws {
    for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
  }

  /// Waits until a condition holds.
  private func eventually(_ condition: () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while !condition() {
      guard ContinuousClock.now < deadline else {
        Issue.record("the condition does not come true")
        return
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  // A pool that writes makes every file a WAL.
  @Test(arguments: Journal.allCases.map { ($0, true) } + [(.wal, false)])
  func `rollbacks and readers wake nobody`(journal: Journal, isWatcher: Bool) async throws {
    let file = try ForeignFile(journal)
    let pool = isWatcher ? try file.watch() : try DatabasePool(path: file.path)
    let (recorder, cancellable) = Shop.items.record(in: pool)
    _ = try await recorder.nextValue()
    // A first commit, so that its looks do not count.
    try SQLiteShell.run(file.path, "UPDATE item SET price = 5")
    _ = try await recorder.value { $0.first?.price == 5 }
    // A watcher cannot tell what happens within a tick of the file system's clock from one write.
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
    #expect(pool.observationStatistics.refetches == before.refetches)
    cancellable.cancel()
  }

  /// Waits until looks at the file give no more runs.
  private func untilSettled(_ file: ForeignFile, _ pool: DatabasePool) async throws {
    var last = -1
    for _ in 0..<50 where pool.observationStatistics.refetches != last {
      last = pool.observationStatistics.refetches
      // Who closes a WAL last moves what it holds into the file, which a watcher cannot tell from a commit.
      try SQLiteShell.run(file.path, "SELECT count(*) FROM item")
      try await pool.quiesce()
    }
  }

  @Test func `a pool tells that its file was replaced, and commits nothing to the old one`()
    async throws
  {
    let shop = try Shop()
    let other = try Shop()
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    _ = try await recorder.nextValue()
    try other.pool.close()
    let aside = shop.directory.file("aside.sqlite")
    try FileManager.default.moveItem(atPath: shop.path, toPath: aside)
    try FileManager.default.moveItem(atPath: other.path, toPath: shop.path)
    let message = """
      the file was moved, removed or replaced by another one while it was open: close the database, and \
      open \(shop.path) again
      """
    let told = try await recorder.nextError() as? DatabaseError
    #expect(told?.extendedResultCode == .SQLITE_READONLY_DBMOVED)
    #expect(told?.message == message)
    let error = await #expect(throws: DatabaseError.self) {
      try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item") }
    }
    #expect(error?.message == message)
    // The file comes back.
    try FileManager.default.removeItem(atPath: shop.path)
    try FileManager.default.moveItem(atPath: aside, toPath: shop.path)
    #expect(try await recorder.nextValue() == [.cup, .pot])
    try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 1") }
    #expect(try await recorder.nextValue() == [.pot])
    cancellable.cancel()
  }

  // In hours from now. Nanoseconds since 1970 have room for 292 years.
  @Test(arguments: [1, 250 * 365 * 24])
  func `a file from the future is at rest`(hours: Double) async throws {
    let file = try ForeignFile(.delete)
    let future = Date(timeIntervalSinceNow: hours * 3600)
    try FileManager.default.setAttributes([.modificationDate: future], ofItemAtPath: file.path)
    let pool = try file.watch()
    let (recorder, cancellable) = Shop.items.record(in: pool)
    #expect(try await recorder.nextValue() == [.cup, .pot])
    // It has not been seen for long enough at first.
    try await pool.quiesce()
    let before = pool.observationStatistics.refetches
    for _ in 0..<3 { try await pool.quiesce() }
    #expect(pool.observationStatistics.refetches == before)
    try SQLiteShell.run(file.path, "DELETE FROM item WHERE id = 1")
    #expect(try await recorder.nextValue() == [.pot])
    cancellable.cancel()
  }
}
