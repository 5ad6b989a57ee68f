import Foundation
import Testing
import TestSupport
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

/// Watching a file in WAL mode makes no WAL.
@Suite struct PassiveReaderTests {
  private static let sum = "SELECT sum(price) FROM item"

  private static func read(_ file: ForeignFile) throws -> Double? {
    let reader = WatchingReaderTests.makeReader(file.path)
    defer { reader.close(waits: true) }
    return try reader.read { db in try Double.fetchOne(db, sql: sum) } ?? -1
  }

  private static func contents(_ path: String) -> Data? {
    FileManager.default.contents(atPath: path)
  }

  @Test func `a file that was left in WAL mode gets no WAL and no index`() async throws {
    let file = try ForeignFile(.wal)
    let pool = try file.watch()
    let (recorder, cancellable) = Shop.items.record(in: pool)
    #expect(try await recorder.nextValue() == [.cup, .pot])
    #expect(!FileManager.default.fileExists(atPath: file.path + "-wal"))
    #expect(!FileManager.default.fileExists(atPath: file.path + "-shm"))
    #expect(try pool.watchingRead { db in try Double.fetchOne(db, sql: Self.sum) } == 4)
    #expect(!FileManager.default.fileExists(atPath: file.path + "-wal"))
    cancellable.cancel()
  }

  @Test func `each state of a file in WAL mode is read`() async throws {
    let file = try ForeignFile(.wal)
    #expect(try Self.read(file) == 4)
    for price in [5.0, 6] {
      try SQLiteShell.run(file.path, "UPDATE item SET price = \(price) WHERE id = 1")
      #expect(try Self.read(file) == price)
    }
    // A WAL that is empty, and that a process has open.
    let session = try SQLiteSession(file.path)
    await session.run("SELECT count(*) FROM item")
    #expect(try Self.read(file) == 6)
    // Two commits: the second transaction has read with the index.
    await session.run("UPDATE item SET price = 7 WHERE id = 1")
    await session.run("UPDATE item SET price = 8 WHERE id = 1")
    #expect(try Self.read(file) == 8)
    await session.run("PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(try Self.read(file) == 8)
    await session.run("BEGIN; UPDATE item SET price = 9 WHERE id = 1")
    #expect(try Self.read(file) == 8)
    await session.run("COMMIT")
    #expect(try Self.read(file) == 9)
    await session.end()
    #expect(try Self.read(file) == 9)
  }

  @Test func `a WAL whose process died is read`() async throws {
    let file = try ForeignFile(.wal)
    let session = try SQLiteSession(file.path)
    await session.run("UPDATE item SET price = 7 WHERE id = 1")
    await session.kill()
    #expect(try Self.read(file) == 7)
    let pool = try file.watch()
    let (recorder, cancellable) = Shop.items.record(in: pool)
    #expect(try await recorder.nextValue().first?.price == 7)
    try SQLiteShell.run(file.path, "UPDATE item SET price = 8 WHERE id = 1")
    _ = try await recorder.value { $0.first?.price == 8 }
    cancellable.cancel()
  }

  @Test func `a WAL without its index is read`() async throws {
    let file = try ForeignFile(.wal)
    let session = try SQLiteSession(file.path)
    await session.run("UPDATE item SET price = 7 WHERE id = 1")
    await session.kill()
    try FileManager.default.removeItem(atPath: file.path + "-shm")
    let pool = try file.watch()
    let (recorder, cancellable) = Shop.items.record(in: pool)
    #expect(try await recorder.nextValue().first?.price == 7)
    cancellable.cancel()
  }

  @Test func `the first commit of a process is read while it has the file open`() async throws {
    let file = try ForeignFile(.wal)
    let session = try SQLiteSession(file.path)
    await session.run("UPDATE item SET price = 7 WHERE id = 1")
    #expect(try Self.read(file) == 7)
    let pool = try file.watch()
    let (recorder, cancellable) = Shop.items.record(in: pool)
    #expect(try await recorder.nextValue().first?.price == 7)
    await session.run("UPDATE item SET price = 8 WHERE id = 1")
    _ = try await recorder.value { $0.first?.price == 8 }
    cancellable.cancel()
    await session.end()
  }

  // The WAL of the other connections may go at any moment before the opening.
  @Test func `a connection that makes no WAL fails without one, and not for attached files`()
    async throws
  {
    let (file, other) = (try ForeignFile(.wal), try ForeignFile(.wal))
    var configuration = Configuration()
    configuration.readonly = true
    func open() throws -> Database {
      try Database(path: file.path, configuration: configuration, role: .passiveWatcher)
    }
    #expect { try open().close() } throws: { error in
      (error as? DatabaseError).map(PassiveReader.mayLackWAL) == true
    }
    #expect(!FileManager.default.fileExists(atPath: file.path + "-wal"))
    configuration.prepareDatabase { db in try db.attach(other.path, as: "other") }
    let session = try SQLiteSession(file.path)
    await session.run("UPDATE item SET price = 7 WHERE id = 1")
    let db = try open()
    defer { db.close() }
    db.beginAccess(.read)
    defer { db.endAccess() }
    #expect(try Double.fetchAll(db, sql: "SELECT price FROM main.item LIMIT 1") == [7])
    #expect(try Double.fetchAll(db, sql: "SELECT price FROM other.item LIMIT 1") == [4])
    await session.end()
  }

  @Test func `an empty WAL of a pool of the process is followed`() async throws {
    let file = try ForeignFile(.wal)
    let pool = try DatabasePool(path: file.path)
    #expect(FileStatus(path: file.path + "-wal")?.size == 0)
    let watcher = try file.watch()
    let (recorder, cancellable) = Shop.items.record(in: watcher)
    #expect(try await recorder.nextValue().first?.price == 4)
    for price in [7.0, 8] {
      try await pool.write { db in
        try db.execute(sql: "UPDATE item SET price = ? WHERE id = 1", arguments: [price])
      }
      _ = try await recorder.value { $0.first?.price == price }
      try await pool.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
      #expect(FileStatus(path: file.path + "-wal")?.size == 0)
    }
    cancellable.cancel()
    try pool.close()
  }

  @Test func `the file is written by a pool of the process that watches it`() async throws {
    let file = try ForeignFile(.wal)
    let session = try SQLiteSession(file.path)
    await session.run("UPDATE item SET price = 7 WHERE id = 1")
    let watcher = try file.watch()
    let (recorder, cancellable) = Shop.items.record(in: watcher)
    _ = try await recorder.value { $0.first?.price == 7 }
    let pool = try DatabasePool(path: file.path)
    for price in [8.0, 9] {
      try await pool.write { db in
        try db.execute(sql: "UPDATE item SET price = ? WHERE id = 1", arguments: [price])
      }
      _ = try await recorder.value { $0.first?.price == price }
    }
    await session.run("UPDATE item SET price = 10 WHERE id = 1")
    _ = try await recorder.value { $0.first?.price == 10 }
    cancellable.cancel()
    await session.end()
  }

  // With locks, SQLite finds out whether the journal belongs to a transaction of the file.
  @Test func `a file in WAL mode beside the journal of a dead process is read with locks`() throws {
    let file = try ForeignFile(.wal)
    #expect(try Self.read(file) == 4)
    let journal = file.path + "-journal"
    #expect(FileManager.default.createFile(atPath: journal, contents: Data([0xd9, 0xd5])))
    let old = Date(timeIntervalSinceNow: -60)
    try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: journal)
    #expect(try Self.read(file) == -1)
  }
}
