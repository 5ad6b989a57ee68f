import Foundation
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// Child processes that are forked while a database is open. Each test runs in a separate process.
@Suite struct DatabasePoolForkTests {
  /// Forks, and checks that the child exits with status 0.
  ///
  /// The function is looked up by name, because Swift does not import `fork`.
  static func fork(_ child: () -> Int32) throws {
    typealias Fork = @convention(c) () -> pid_t
    let fork = try unsafeBitCast(#require(dlsym(nil, "fork")), to: Fork.self)
    let id = fork()
    if id == 0 { exit(child()) }
    var status: Int32 = 0
    try #require(waitpid(id, &status, 0) == id)
    try #require(status == 0, "the child ended with \(status)")
  }

  /// Returns whether the body fails because of the fork.
  static func isRefused(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      return false
    } catch let error as DatabaseError {
      return error.message?.contains("belongs to the parent process: fork before") == true
    } catch {
      return false
    }
  }

  static func checkIsWhole(_ shop: Shop, names: [String]) throws {
    try shop.pool.write { db in try db.execute(sql: "INSERT INTO item (name) VALUES ('last')") }
    let all = try shop.pool.read { db in
      try String.fetchAll(db, sql: "SELECT name FROM item ORDER BY id")
    }
    try #require(all == names + ["last"])
    let text = try SQLiteShell.run(
      shop.path,
      "SELECT name FROM item ORDER BY id; PRAGMA integrity_check"
    )
    try #require(text == (all + ["ok"]).joined(separator: "\n"))
  }

  @Test func `a forked child cannot use the database of its parent`() async {
    await #expect(processExitsWith: .success) {
      let shop = try Shop()
      _ = try shop.pool.read { db in try Int.fetchOne(db, sql: "SELECT 1") }
      try Self.fork {
        let accesses: [() throws -> Void] = [
          { try shop.pool.read { _ in } }, { try shop.pool.write { _ in } },
          { try shop.pool.unsafeRead { _ in } }, { _ = try shop.pool.makeSnapshot() },
          { try shop.pool.barrierWriteWithoutTransaction { _ in } }, { try shop.pool.close() },
        ]
        return accesses.allSatisfy(Self.isRefused) ? 0 : 1
      }
      try Self.checkIsWhole(shop, names: ["cup", "pot"])
    }
  }

  @Test func `a forked child that releases the database does not close it for its parent`() async {
    await #expect(processExitsWith: .success) {
      let directory = TemporaryDirectory()
      var queue: DatabaseQueue? = try DatabaseQueue(path: directory.file())
      try queue?.write { db in try db.execute(sql: Item.schema) }
      let snapshot = try SQLiteShell.run(directory.file(), "SELECT count(*) FROM item")
      try Self.fork {
        queue = nil
        return 0
      }
      try #require(snapshot == "0")
      try queue?.write { db in try Item.cup.insert(db) }
      try #require(SQLiteShell.run(directory.file(), "SELECT name FROM item") == "cup")
    }
  }

  @Test func `a child that is forked inside a write can neither write nor roll back`() async {
    await #expect(processExitsWith: .success) {
      let shop = try Shop()
      try shop.pool.write { db in
        try db.execute(sql: "DELETE FROM item WHERE id = 1")
        var isChild = false
        try? Self.fork {
          isChild = true
          let isRefused = Self.isRefused { try db.execute(sql: "DELETE FROM item") }
          return isRefused && Self.isRefused { try db.rollback() } ? 0 : 1
        }
        try #require(!isChild)
        try db.execute(sql: "INSERT INTO item (name) VALUES ('pan')")
      }
      try Self.checkIsWhole(shop, names: ["pot", "pan"])
    }
  }
}
