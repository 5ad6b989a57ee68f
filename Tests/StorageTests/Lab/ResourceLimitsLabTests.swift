import CWellspringSQLite
import Dispatch
import Foundation
import Storage
import Testing
import TestSupport
import WellspringSystem

@testable import StorageTestSupport

/// A resource runs out, and comes back: the error names it, and the process continues.
///
/// Limits belong to a process, so each test runs in a process of its own.
@Suite struct ResourceLimitsLabTests {
  @Test func `without file descriptors, the error says so, and the process goes on`() async {
    await #expect(processExitsWith: .success) {
      await Self.warmUpDispatch()
      try Self.runOutOfDescriptors()
    }
  }

  private static func runOutOfDescriptors() throws {
    let shop = try Shop()
    let other = TemporaryDirectory()
    let limit = try Self.limitDescriptors()
    // Open connections work.
    try shop.pool.write { db in try db.execute(sql: "UPDATE item SET price = 1") }
    let expected = "the process has no file descriptors left"
    for path in [shop.directory.file("new.sqlite"), other.file(), shop.path] {
      let error = #expect(throws: DatabaseError.self) {
        let pool = try DatabasePool(path: path)
        // The pool has opened its writer with the last descriptors: a reader needs more.
        let readers = try (0..<8).map { _ in try pool.makeSnapshot() }
        withExtendedLifetime(readers) {}
      }
      let message = error?.message ?? ""
      try #require(message.contains(expected), "\(path): \(message)")
    }
    try Self.setDescriptors(limit)
    let pool = try DatabasePool(path: other.file())
    try pool.write { db in try db.execute(sql: "CREATE TABLE item (name)") }
    try shop.pool.write { db in try db.execute(sql: "UPDATE item SET price = 2") }
    let snapshots = try (0..<8).map { _ in try shop.pool.makeSnapshot() }
    for snapshot in snapshots {
      try #require(try snapshot.read { db in try Int.fetchOne(db, sql: "SELECT 1") } == 1)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only the administrator can take on another user"))
  func `without an inotify instance, foreign commits are noticed all the same`() async {
    await #expect(processExitsWith: .success) {
      await Self.warmUpDispatch()
      try await Self.runWithoutInotify()
    }
  }

  private static func runWithoutInotify() async throws {
    let directory = TemporaryDirectory()
    let writer = try DatabaseQueue(path: directory.file())
    try await writer.write { db in try db.execute(sql: "CREATE TABLE item (name)") }
    var configuration = Configuration()
    configuration.readonly = true
    let pool = try DatabasePool(path: directory.file(), configuration: configuration)
    // The connections are open; the instance is not.
    _ = try await pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM item") }
    // The instances are counted for each user, so this process becomes a user of its own. To take
    // the descriptors away instead would hit Dispatch too, which stops the process when it cannot
    // make a descriptor of its own.
    chmod(directory.path, 0o777)
    chmod(directory.file(), 0o666)
    try #require(setuid(uid_t(20_000 + getpid() % 40_000)) == 0)
    var descriptors = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &descriptors)
    descriptors.rlim_cur = descriptors.rlim_max
    try Self.setDescriptors(descriptors)
    var instances: [Int32] = []
    while case let instance = inotify_init1(Int32(IN_CLOEXEC)), instance >= 0 {
      instances.append(instance)
    }
    let isDescriptorLeft = dup(0)
    try #require(isDescriptorLeft >= 0, "the user has more instances than the process descriptors")
    close(isDescriptorLeft)
    let counts = Recorder<Int>()
    let cancellable = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? 0
    }.start(in: pool, onError: { _ in }, onChange: { counts.append($0) })
    try #require(FileEvents.shared.watch(directory.path) { _ in .irrelevant } == nil)
    for instance in instances { close(instance) }
    try #require(FileEvents.shared.watch(directory.path) { _ in .irrelevant } != nil)
    for _ in 0..<3 {
      // Without a WAL, the writer waits for the reads of the observation.
      try SQLiteShell.run(
        directory.file(),
        "INSERT INTO item VALUES ('cup')",
        options: ["-cmd", ".timeout 10000"]
      )
    }
    while try await counts.nextValue() != 3 {}
    cancellable.cancel()
  }

  @Test(.enabled(if: geteuid() == 0, "only the administrator can take on another user"))
  func `without permission to write the directory, a reader says which files it misses`() async {
    await #expect(processExitsWith: .success) {
      await Task.yield()
      try Self.runWithoutDirectory()
    }
  }

  private static func runWithoutDirectory() throws {
    let shop = try Shop()
    try shop.pool.close()
    chmod(shop.directory.path, 0o755)
    chmod(shop.path, 0o644)
    try #require(setuid(65_534) == 0)
    var configuration = Configuration()
    configuration.readonly = true
    let error = #expect(throws: DatabaseError.self) {
      _ = try DatabasePool(path: shop.path, configuration: configuration)
    }
    let message = error?.message ?? ""
    let reason = "while the directory \(shop.directory.path) is not writable"
    try #require(message.contains(reason), "\(message)")
  }

  @Test func `without memory, the error says so, and the process goes on`() async {
    await #expect(processExitsWith: .success) {
      let shop = try Shop()
      let values = Recorder<Int>()
      let errors = Recorder<String>()
      let cancellable = ValueObservation.tracking { db in
        try Int.fetchOne(db, sql: "SELECT sum(price) FROM item") ?? 0
      }.start(
        in: shop.pool,
        onError: { errors.append("\($0)") },
        onChange: { values.append($0) }
      )
      _ = try await values.nextValue()
      let used = sqlite3_memory_used()
      sqlite3_hard_heap_limit64(used + 200_000)
      for _ in 0..<3 {
        let error = await #expect(throws: DatabaseError.self) {
          try await shop.pool.write { db in
            try db.execute(sql: "UPDATE item SET name = hex(zeroblob(300000))")
          }
        }
        try #require(error?.resultCode == .SQLITE_NOMEM)
        try #require(error?.message == "out of memory")
      }
      sqlite3_hard_heap_limit64(0)
      try await shop.pool.write { db in try db.execute(sql: "UPDATE item SET price = 700") }
      let count = try await shop.pool.read { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM item WHERE name NOT LIKE '0000%'") ?? 0
      }
      while try await values.nextValue() != 700 * count {}
      cancellable.cancel()
    }
  }

  /// Every allocation of SQLite can fail, in turn: nothing crashes, and nothing is half.
  @Test func `soak: wherever memory runs out, the transaction is whole or undone`() async {
    let steps = Soak.size(600, inSuite: 30)
    await #expect(processExitsWith: .success) { [steps = steps as Int] in
      await Task.yield()
      try Self.failAllocations(steps)
    }
  }

  private static func failAllocations(_ steps: Int) throws {
    let shop = try Shop()
    func total() throws -> [Int] {
      try shop.pool.read { db in
        try Int.fetchAll(
          db,
          sql: "SELECT count(*) FROM item UNION ALL SELECT sum(price) FROM item"
        )
      }
    }
    try shop.pool.write { db in try db.execute(sql: "UPDATE item SET price = 0") }
    for step in 0..<steps {
      let before = try total()
      shop.pool.releaseMemory()
      sqlite3_hard_heap_limit64(sqlite3_memory_used() + 1000 + Int64(step * 120_000 / steps))
      var isCommitted = false
      do {
        try shop.pool.write { db in
          try db.execute(sql: "UPDATE item SET price = price + 1")
          try db.inSavepoint {
            try db.execute(sql: "CREATE TABLE IF NOT EXISTS scratch (x)")
            return .rollback
          }
          _ = try Row.fetchAll(db, sql: "SELECT * FROM item ORDER BY name, price")
        }
        isCommitted = true
      } catch is DatabaseError {}
      sqlite3_hard_heap_limit64(0)
      let after = try total()
      try #require(after == [before[0], before[1] + (isCommitted ? before[0] : 0)])
    }
    let report = try shop.pool.read { db in
      try String.fetchAll(db, sql: "PRAGMA integrity_check")
    }
    try #require(report == ["ok"])
  }

  @Test(
    .enabled(
      if: geteuid() == 0,
      "only the administrator can take on another user, whom limits bind"
    )
  )
  func `without threads, synchronous accesses work, and others go on later`() async {
    await #expect(processExitsWith: .success) {
      await Task.yield()
      try Self.runWithoutThreads()
    }
  }

  private static func runWithoutThreads() throws {
    let shop = try Shop()
    chmod(shop.directory.path, 0o777)
    for suffix in ["", "-wal", "-shm"] { chmod(shop.path + suffix, 0o666) }
    _ = try shop.pool.read { db in try Int.fetchOne(db, sql: "SELECT 1") }
    var limit = rlimit()
    getrlimit(Self.processes, &limit)
    var none = limit
    none.rlim_cur = 0
    // Dispatch tries to make a thread until it can, and holds up who asks for one meanwhile, unless
    // an idle thread is left. So another thread ends the limit after a second.
    let mayEnd = DispatchSemaphore(value: 0)
    let old = limit
    Thread.detachNewThread {
      mayEnd.wait()
      Thread.sleep(forTimeInterval: 1)
      var old = old
      setrlimit(Self.processes, &old)
    }
    setrlimit(Self.processes, &none)
    // The limit does not bind the administrator.
    try #require(setuid(65_534) == 0)
    try shop.pool.write { db in try db.execute(sql: "UPDATE item SET price = 5") }
    mayEnd.signal()
    let end = DispatchSemaphore(value: 0)
    let cancellable = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT max(price) FROM item") ?? 0
    }.start(
      in: shop.pool,
      scheduling: .async(onQueue: DispatchQueue(label: "values")),
      onError: { _ in },
      onChange: { if $0 == 7 { end.signal() } }
    )
    for price in 6...7 {
      try shop.pool.write { db in
        try db.execute(sql: "UPDATE item SET price = ?", arguments: [price])
      }
    }
    try #require(end.wait(timeout: .now() + Patience.seconds) == .success)
    cancellable.cancel()
  }

  // MARK: Limits

  /// Lets Dispatch make the descriptors for its first timer, and for the first block of the main
  /// queue. Dispatch stops the process when it cannot make them, and needs no further descriptors.
  private static func warmUpDispatch() async {
    await withCheckedContinuation { continuation in
      let timer = DispatchSource.makeTimerSource()
      timer.schedule(deadline: .now() + 0.001)
      timer.setEventHandler {
        timer.cancel()
        DispatchQueue.main.async { continuation.resume() }
      }
      timer.activate()
    }
  }

  /// `RLIMIT_NPROC`, which Swift does not import.
  private static let processes = __rlimit_resource_t(6)

  /// Lowers the limit to the descriptors that are open.
  ///
  /// - Returns: The limit before.
  private static func limitDescriptors() throws -> rlimit {
    var before = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &before)
    let next = dup(0)
    close(next)
    var lowered = before
    lowered.rlim_cur = rlim_t(next)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &lowered)
    return before
  }

  private static func setDescriptors(_ limit: rlimit) throws {
    var limit = limit
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
