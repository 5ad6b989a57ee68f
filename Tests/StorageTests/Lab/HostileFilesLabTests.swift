import CWellspringSQLite
import Dispatch
import Foundation
import Storage
import Testing
import TestSupport
import WellspringSystem

@testable import StorageTestSupport

/// Damaged files are opened, read, watched, dumped and migrated. Each use ends with a value or with
/// an error of the database: it neither crashes nor hangs.
@Suite struct HostileFilesLabTests {
  private static let fileCount = Soak.size(10_000, inSuite: 100)

  @Test(arguments: HostileFile.Part.allCases)
  func `soak: a damaged file leads to an error or a value`(part: HostileFile.Part) throws {
    let directory = TemporaryDirectory()
    let intact = try HostileFile.makeIntact(in: directory)
    let count = Self.fileCount / HostileFile.Part.allCases.count + 1
    for seed in 0..<UInt64(count) {
      let file = HostileFile(intact, part, seed: seed)
      // Each file is used in one way.
      let use = Use.all[Int(seed) % Use.all.count]
      let path = directory.file("\(part).\(seed).\(use.name).sqlite")
      try file.write(to: path)
      try HostileFile.check("\(part), seed \(seed), \(use.name)") {
        let counts = try use.run(path)
        // A log whose checksums do not fit ends before the damage: the pages after it were never
        // committed.
        if part == .log, !counts.isSubset(of: HostileFile.Intact.itemCounts) {
          throw Ledger.Damage("\(counts) items")
        }
      }
      for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }
  }

  @Test func `soak: a damaged index of the log leads to an error or a value`() throws {
    let directory = TemporaryDirectory()
    let intact = try HostileFile.makeIntact(in: directory)
    for seed in 0..<UInt64(Soak.size(2000, inSuite: 20)) {
      var generator = SeededGenerator(seed: seed)
      // Each file is used in one way.
      let use = Use.all[Int(seed) % Use.all.count]
      let path = directory.file("index.\(seed).\(use.name).sqlite")
      try Data(intact.pages).write(to: URL(fileURLWithPath: path))
      try Data(intact.log).write(to: URL(fileURLWithPath: path + "-wal"))
      // While a connection is open, other connections use the index that is there.
      let other = try DatabasePool(path: path)
      _ = try other.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM item") }
      let index = open(path + "-shm", O_RDWR | O_CLOEXEC)
      for _ in 0..<generator.number(in: 1..<20) {
        var byte = UInt8(truncatingIfNeeded: generator.next())
        let offset = generator.pick([
          generator.number(in: 0..<136), generator.number(in: 0..<32768),
        ])!
        pwrite(index, &byte, 1, off_t(offset))
      }
      try HostileFile.check("index, seed \(seed), \(use.name)") { _ = try use.run(path) }
      try? other.close()
      close(index)
      for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }
  }

  // MARK: Uses

  /// Something that a process does with the file.
  private struct Use: Sendable {
    let name: String
    let configuration: Configuration

    static var all: [Use] {
      var watched = Configuration()
      watched.readonly = true
      return [
        Use(name: "untrusted", configuration: .untrusted),
        Use(name: "watched", configuration: watched),
        Use(name: "written", configuration: Configuration()),
      ]
    }

    /// Returns the numbers of items that were seen.
    func run(_ path: String) throws -> Set<Int> {
      let pool = try DatabasePool(path: path, configuration: configuration)
      defer { try? pool.close() }
      var counts: Set<Int> = []
      attempt {
        let count = try pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM item") }
        if let count { counts.insert(count) }
      }
      attempt { try pool.read(readEverything) }
      attempt { try pool.read { db in try db.dumpContent(to: HostileFile.Discarded()) } }
      attempt { try observe(pool) }
      guard !configuration.readonly else { return counts }
      attempt {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("price in cents") { db in
          try db.alter(table: "item") { table in table.add(column: "cents", .integer) }
          try db.execute(sql: "UPDATE item SET cents = price * 100")
        }
        try migrator.migrate(pool)
      }
      attempt { try pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id > 3") } }
      attempt { try pool.vacuum() }
      return counts
    }

    private func attempt(_ body: () throws -> Void) { try? body() }

    private func readEverything(_ db: Database) throws {
      attempt { _ = try String.fetchAll(db, sql: "PRAGMA integrity_check") }
      let tables = try String.fetchAll(
        db,
        sql: "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
      )
      for table in tables.prefix(40) {
        attempt {
          let rows = try Row.fetchCursor(db, sql: "SELECT * FROM \(table.quotedDatabaseIdentifier)")
          var count = 0
          while try rows.next() != nil, count < 10_000 { count += 1 }
        }
        attempt { _ = try db.columns(in: table) }
        attempt { _ = try db.indexes(on: table) }
        attempt { _ = try db.foreignKeys(on: table) }
      }
      attempt { _ = try Row.fetchAll(db, sql: "SELECT * FROM item WHERE name = 'ITEM 3'") }
      attempt { _ = try Row.fetchAll(db, sql: "SELECT * FROM page WHERE page MATCH 'tea'") }
      attempt { _ = try Row.fetchAll(db, sql: "SELECT * FROM box WHERE low > 3") }
    }

    /// Waits for the first value or error of an observation, and for the reaction to the commit of
    /// another connection, whose pages are read.
    private func observe(_ pool: DatabasePool) throws {
      let first = DispatchSemaphore(value: 0)
      let cancellable = ValueObservation.tracking { db in
        try Row.fetchAll(db, sql: "SELECT * FROM item WHERE price > 2 ORDER BY name")
      }.start(
        in: pool,
        scheduling: .async(onQueue: .global()),
        onError: { _ in first.signal() },
        onChange: { _ in first.signal() }
      )
      first.wait()
      for price in 1...2 {
        var other: OpaquePointer?
        sqlite3_open(pool.path, &other)
        sqlite3_exec(other, "UPDATE item SET price = \(price) WHERE id = 2", nil, nil, nil)
        sqlite3_close(other)
        HostileFile.waitUntilQuiet(pool)
      }
      cancellable.cancel()
    }
  }
}
