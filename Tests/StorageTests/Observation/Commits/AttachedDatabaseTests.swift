import CWellspringSQLite
import Dispatch
import Storage
import Synchronization
import Testing
import TestSupport

@testable import StorageTestSupport

/// Observations that also read an attached file. The pool's own writer writes to it.
@Suite struct AttachedDatabaseTests {
  /// Creates a shop whose connections all attach a file as `aux`, with a table `x` of one row.
  private func makeShop(_ directory: TemporaryDirectory) throws -> Shop {
    let path = directory.file("aux.sqlite")
    try SQLiteShell.run(
      path,
      "PRAGMA journal_mode = wal; CREATE TABLE x (price); INSERT INTO x VALUES (4)"
    )
    var configuration = Configuration()
    configuration.prepareDatabase { db in try db.execute(sql: "ATTACH '\(path)' AS aux") }
    return try Shop(configuration)
  }

  @Test func `both files are read in one snapshot`() async throws {
    let directory = TemporaryDirectory()
    let shop = try makeShop(directory)
    let pool = shop.pool
    let setBoth: @Sendable (Database, Int) throws -> Void = { db, price in
      try db.execute(sql: "UPDATE item SET price = \(price); UPDATE aux.x SET price = \(price)")
    }
    let runs = Atomic(0)
    let (recorder, cancellable) = ValueObservation.tracking { db in
      let own = try Double.fetchOne(db, sql: "SELECT price FROM item WHERE id = 1")
      // Between the reads of the two files, a commit overtakes the second run.
      if runs.add(1, ordering: .relaxed).newValue == 2 {
        try onAnotherThread {
          try pool.write { db in try setBoth(db, 20) }
        }
      }
      return [own, try Double.fetchOne(db, sql: "SELECT price FROM aux.x")]
    }.record(in: pool)
    #expect(try await recorder.nextValue() == [4, 4])
    try await pool.write { db in try setBoth(db, 10) }
    var last: [Double?]
    repeat {
      last = try await recorder.nextValue()
      #expect(last == [10, 10] || last == [20, 20])
    } while last != [20, 20]
    cancellable.cancel()
  }

  // A commit that writes nothing to the main file releases the lock of the main file early, and
  // another process can take the lock immediately.
  @Test func `P1: a foreign commit right after a commit to the attached file is seen`()
    async throws
  {
    let directory = TemporaryDirectory()
    let shop = try makeShop(directory)
    let pool = shop.pool
    let (recorder, cancellable) = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT price FROM item WHERE id = 1") ?? 0
    }.record(in: pool)
    #expect(try await recorder.nextValue() == 4)
    var opened: OpaquePointer?
    #expect(sqlite3_open(shop.path, &opened) == SQLITE_OK)
    nonisolated(unsafe) let connection = opened
    sqlite3_exec(connection, "PRAGMA synchronous = OFF", nil, nil, nil)
    // Retries without end while the file is locked.
    sqlite3_busy_handler(connection, { _, _ in 1 }, nil)
    for round in 1...Soak.size(5000, inSuite: 100) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          try await pool.write { db in
            try db.execute(sql: "UPDATE aux.x SET price = ?", arguments: [round])
          }
        }
        group.addTask {
          let sql = "UPDATE item SET price = \(100 + round) WHERE id = 1"
          #expect(sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK)
        }
        try await group.waitForAll()
      }
      try await pool.quiesce()
      let last = try await recorder.value { _ in true }
      #expect(last == 100 + round)
    }
    sqlite3_close(connection)
    cancellable.cancel()
  }

  @Test(arguments: [false, true])
  func `a new table that hides a table of the attached file is seen`(isForeign: Bool) async throws {
    let directory = TemporaryDirectory()
    let shop = try makeShop(directory)
    let (recorder, cancellable) = ValueObservation.tracking { db in
      try Double.fetchAll(db, sql: "SELECT price FROM x")
    }.record(in: shop.pool)
    #expect(try await recorder.nextValue() == [4])
    let create = "CREATE TABLE x (price); INSERT INTO main.x VALUES (1)"
    if isForeign {
      try SQLiteShell.run(shop.path, create)
    } else {
      try await shop.pool.write { db in try db.execute(sql: create) }
    }
    #expect(try await recorder.value { $0 != [] } == [1])
    try await shop.pool.write { db in try db.execute(sql: "UPDATE main.x SET price = 2") }
    #expect(try await recorder.nextValue() == [2])
    try await shop.pool.write { db in try db.execute(sql: "DROP TABLE main.x") }
    #expect(try await recorder.nextValue() == [4])
    cancellable.cancel()
  }

  @Test func `tables that the raw handle creates in the attached file are seen`() async throws {
    let directory = TemporaryDirectory()
    let shop = try makeShop(directory)
    let (recorder, cancellable) = ValueObservation.tracking { db in
      try String.fetchAll(db, sql: "SELECT name FROM aux.sqlite_master ORDER BY name")
    }.record(in: shop.pool)
    var names = ["x"]
    #expect(try await recorder.nextValue() == names)
    for name in ["y", "z"] {
      try await shop.pool.write { db in
        let code = sqlite3_exec(
          db.sqliteConnection,
          "CREATE TABLE aux.\(name) (v)",
          nil,
          nil,
          nil
        )
        #expect(code == SQLITE_OK)
      }
      names.append(name)
      #expect(try await recorder.nextValue() == names)
    }
    cancellable.cancel()
  }

  @Test func `P4: tables with the same name in different files are distinguished`() async throws {
    let directory = TemporaryDirectory()
    let shop = try makeShop(directory)
    try await shop.pool.write { db in
      try db.execute(sql: "CREATE TABLE aux.item (id INTEGER PRIMARY KEY, name, price)")
    }
    let queries = ["SELECT name FROM main.item", "SELECT name FROM aux.item"].map { sql in
      ValueObservation.tracking { db in try String.fetchAll(db, sql: sql) }.record(in: shop.pool)
    }
    for (recorder, _) in queries { _ = try await recorder.nextValue() }
    try await shop.pool.quiesce()
    let before = shop.pool.observationStatistics.runs
    try await shop.pool.write { db in
      try db.execute(sql: "INSERT INTO aux.item VALUES (1, 'far', 1)")
    }
    #expect(try await queries[1].recorder.nextValue() == ["far"])
    try await shop.pool.write { db in
      try db.execute(sql: "UPDATE main.item SET name = 'near' WHERE id = 1")
    }
    #expect(try await queries[0].recorder.nextValue() == ["near", "pot"])
    try await shop.pool.quiesce()
    #expect(shop.pool.observationStatistics.runs == before + 2)
    for (_, cancellable) in queries { cancellable.cancel() }
  }

  /// SQLite does not call its WAL hook after a statement that does not run to its end, nor after a
  /// statement that fails and keeps its changes. The pragma removes the hook.
  @Test(arguments: [
    "INSERT INTO other VALUES (1) RETURNING a", "INSERT OR FAIL INTO other VALUES (1), (0)",
    "PRAGMA wal_autocheckpoint = 500",
  ])
  func `P4: a commit without a WAL hook is not taken for a foreign commit`(sql: String) async throws
  {
    let isWrite = sql.hasPrefix("INSERT")
    let directory = TemporaryDirectory()
    let shop = try makeShop(directory)
    try await shop.pool.write { db in
      try db.execute(sql: "CREATE TABLE other (a UNIQUE); INSERT INTO other VALUES (0)")
    }
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    #expect(try await recorder.nextValue().count == 2)
    let before = shop.pool.observationStatistics.runs
    try await shop.pool.writeWithoutTransaction { (db) throws in
      if sql.contains("FAIL") {
        #expect(throws: DatabaseError.self) { try DatabaseValue.fetchOne(db, sql: sql) }
      } else {
        #expect(try DatabaseValue.fetchOne(db, sql: sql) != nil)
      }
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM other") == (isWrite ? 2 : 1))
    }
    try await shop.pool.quiesce()
    #expect(shop.pool.observationStatistics.runs == before)
    for value in 3...5 {
      try await shop.pool.write { db in
        try db.execute(sql: "INSERT INTO other VALUES (\(value))")
      }
    }
    try await shop.pool.quiesce()
    #expect(shop.pool.observationStatistics.runs == before)
    try await shop.pool.write { db in try db.execute(sql: "DELETE FROM main.item WHERE id = 1") }
    #expect(try await recorder.nextValue().count == 1)
    cancellable.cancel()
  }

  @Test func `P1: a foreign commit during one that writes only the attached file is seen`()
    async throws
  {
    let directory = TemporaryDirectory()
    let shop = try makeShop(directory)
    let path = shop.path
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    #expect(try await recorder.nextValue().count == 2)
    // The commit does not hold the write lock of the main file, so the other process can commit
    // after this commit is done and before its statement returns.
    let context = UnsafeMutablePointer<String>.allocate(capacity: 1)
    context.initialize(to: path)
    defer {
      context.deinitialize(count: 1)
      context.deallocate()
    }
    nonisolated(unsafe) let pointer = UnsafeMutableRawPointer(context)
    try await shop.pool.writeWithoutTransaction { db in
      sqlite3_wal_hook(
        db.sqliteConnection,
        { context, _, _, _ in
          let path = context!.assumingMemoryBound(to: String.self).pointee
          _ = try? SQLiteShell.run(path, "DELETE FROM item WHERE id = 1")
          return SQLITE_OK
        },
        pointer
      )
      try db.execute(sql: "UPDATE aux.x SET price = 7")
      sqlite3_wal_hook(db.sqliteConnection, nil, nil)
    }
    #expect(try await recorder.nextValue() == [.pot])
    cancellable.cancel()
  }
}

/// Observations of an attached file. Another process writes to it.
@Suite struct ExternallyWrittenAttachedFileTests {
  @Test(arguments: [(false, "wal"), (false, "delete"), (true, "wal"), (true, "delete")])
  func `commits of another process to an attached file are seen`(
    isReadonly: Bool,
    mode: String
  ) async throws {
    let attached = TemporaryDirectory()
    let path = attached.file("aux.sqlite")
    try SQLiteShell.run(path, "PRAGMA journal_mode = \(mode); CREATE TABLE x (price)")
    let main = TemporaryDirectory()
    try SQLiteShell.run(main.file(), "PRAGMA journal_mode = \(mode); CREATE TABLE y (price)")
    var configuration = Configuration()
    configuration.readonly = isReadonly
    configuration.prepareDatabase { db in try db.execute(sql: "ATTACH '\(path)' AS aux") }
    let pool = try DatabasePool(path: main.file(), configuration: configuration)
    let (recorder, cancellable) = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM aux.x")
    }.record(in: pool)
    #expect(try await recorder.nextValue() == 0)
    // A writing pool checks a file without a WAL under a brief lock. A read-only pool never locks
    // it.
    let patience = isReadonly ? "" : "PRAGMA busy_timeout = 5000; "
    for count in 1...5 {
      try SQLiteShell.run(path, patience + "INSERT INTO x VALUES (1)")
      #expect(try await recorder.nextValue() == count)
    }
    cancellable.cancel()
  }

  @Test func `foreign commits are seen by an observation that started during a write`() async throws
  {
    let attached = TemporaryDirectory()
    let path = attached.file("aux.sqlite")
    try SQLiteShell.run(path, "PRAGMA journal_mode = wal; CREATE TABLE x (price)")
    var configuration = Configuration()
    configuration.prepareDatabase { db in try db.execute(sql: "ATTACH '\(path)' AS aux") }
    let shop = try Shop(configuration)
    let isWriting = Recorder<Void>()
    let mayEnd = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      try? shop.pool.writeWithoutTransaction { _ in
        isWriting.append(())
        mayEnd.wait()
      }
    }
    try await isWriting.nextValue()
    let (recorder, cancellable) = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM aux.x")
    }.record(in: shop.pool)
    #expect(try await recorder.nextValue() == 0)
    mayEnd.signal()
    try await shop.pool.quiesce()
    try SQLiteShell.run(path, "INSERT INTO x VALUES (1)")
    #expect(try await recorder.nextValue() == 1)
    cancellable.cancel()
  }
}
