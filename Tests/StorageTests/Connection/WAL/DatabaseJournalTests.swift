import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

@Suite struct DatabaseJournalTests {
  private let directory = TemporaryDirectory()

  @Test(arguments: [Database.JournalMode.delete, .truncate, .persist, .memory, .wal, .off])
  func `A-018: the journal mode can be read and changed`(mode: Database.JournalMode) throws {
    let queue = try DatabaseQueue(path: directory.file())
    try queue.inDatabase { db in
      #expect(try db.journalMode() == .delete)
      try db.setJournalMode(mode)
      #expect(try db.journalMode() == mode)
    }
  }

  @Test func `a journal mode that is not possible is an error`() throws {
    try withDatabase { db in
      expectDatabaseError(.SQLITE_ERROR, "the journal mode of main stays memory: it cannot be wal")
      {
        try db.enableWAL()
      }
    }
  }

  @Test func `A-018: an attached database has its own journal mode`() throws {
    try withDatabase { db in
      try db.attach(directory.file(), as: "it's")
      try db.setJournalMode(.wal, of: "it's")
      #expect(try db.journalMode(of: "it's") == .wal)
      #expect(try db.journalMode() == .memory)
    }
  }

  @Test(arguments: [Configuration.Synchronous.off, .normal, .full, .extra])
  func `A-018: the synchronous mode can be configured, read and changed`(
    mode: Configuration.Synchronous
  ) throws {
    var configuration = Configuration()
    configuration.synchronous = mode
    try withDatabase(configuration) { db in
      #expect(try db.synchronous() == mode)
      try db.setSynchronous(.normal)
      #expect(try db.synchronous() == .normal)
    }
  }

  @Test func `A-018: the WAL length for automatic checkpoints can be configured and changed`()
    throws
  {
    var configuration = Configuration()
    configuration.prepareDatabase { db in try db.setWALAutoCheckpoint(7) }
    let shop = try Shop(configuration)
    try shop.pool.writeWithoutTransaction { db in
      #expect(try db.walAutoCheckpoint() == 7)
      try db.setWALAutoCheckpoint(0)
      #expect(try db.walAutoCheckpoint() == 0)
    }
    let plain = try Shop()
    #expect(try plain.pool.writeWithoutTransaction { db in try db.walAutoCheckpoint() } == 1000)
    try plain.pool.writeWithoutTransaction { db in
      for pageCount in [300, 0, 200] {
        try db.execute(sql: "PRAGMA wal_autocheckpoint = \(pageCount)")
        #expect(try db.walAutoCheckpoint() == pageCount)
        try db.execute(sql: "PRAGMA cache_size = 500")
        #expect(try db.walAutoCheckpoint() == pageCount)
      }
      // SQLite changes the length while it compiles the pragma.
      _ = try db.makeStatement(sql: "PRAGMA wal_autocheckpoint = 100")
      #expect(try db.walAutoCheckpoint() == 100)
    }
  }
}
