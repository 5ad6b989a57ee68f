import CWellspringSQLite
import TestSupport
import Testing

@testable import Storage

/// The log of a real file, as another connection reads it.
@Suite struct LoggedPagesTests {
  private struct Log {
    let directory = TemporaryDirectory()
    let writer: RandomPageWriter
    private let reader: OpaquePointer

    init(hasLargeSectors: Bool = false) throws {
      writer = try RandomPageWriter(path: directory.file(), hasLargeSectors: hasLargeSectors)
      writer.run(
        """
        PRAGMA page_size = 512; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
        PRAGMA synchronous = FULL; CREATE TABLE t (id INTEGER PRIMARY KEY, v);
        CREATE TABLE u (id INTEGER PRIMARY KEY, v)
        """
      )
      var reader: OpaquePointer?
      #expect(sqlite3_open(directory.file(), &reader) == SQLITE_OK)
      self.reader = try #require(reader)
      read()
    }

    /// Reads with the connection, so that it has opened the log.
    func read() { sqlite3_exec(reader, "SELECT count(*) FROM t", nil, nil, nil) }

    func close() { sqlite3_close(reader) }

    func index() throws -> WALIndex { try #require(WALIndex.read(reader)) }

    func files() throws -> LogFiles { try #require(LogFiles(reader)) }

    var mayHaveFrame: Bool {
      get throws { try files().mayHaveFrame(after: index()) }
    }
  }

  /// Rows that do not fit into the cache, so that pages are written before the commit.
  private static let spill = """
    PRAGMA cache_size = 1; BEGIN;
    INSERT INTO t (v) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
    SELECT randomblob(300) FROM n
    """

  @Test(arguments: [true, false])
  func `a commit that is being written has a frame behind the last one`(isEmpty: Bool) throws {
    let log = try Log()
    if isEmpty {
      log.writer.run("PRAGMA wal_checkpoint(TRUNCATE)")
      log.read()
      #expect(try log.index().lastFrame == 0)
    }
    #expect(try !log.mayHaveFrame)
    let before = try log.index()
    log.writer.run(Self.spill)
    #expect(try log.index() == before)
    #expect(try log.mayHaveFrame)
    log.writer.run("COMMIT")
    #expect(try log.index() != before)
    #expect(try !log.mayHaveFrame)
    log.writer.run("\(Self.spill); ROLLBACK")
    // It is not known whether a writer still is behind the frames.
    #expect(try log.mayHaveFrame)
    log.close()
  }

  @Test(arguments: [true, false])
  func `commits are counted once, also those that are padded to a sector`(
    hasLargeSectors: Bool
  ) throws {
    let log = try Log(hasLargeSectors: hasLargeSectors)
    log.writer.run("PRAGMA wal_checkpoint(RESTART)")
    log.writer.run("INSERT INTO t VALUES (1, 1)")
    let before = try log.index()
    for id in 2...4 {
      log.writer.run("INSERT INTO u VALUES (\(id), 1)")
      log.writer.run("INSERT INTO t VALUES (\(id), 1)")
    }
    let index = try log.index()
    #expect(index.commits == before.commits + 6)
    let count = try LoggedPages.commits(
      in: log.files(),
      pageSize: index.pageSize,
      upTo: index.lastFrame
    )
    #expect(count == 7)
    #expect((index.lastFrame > 7) == hasLargeSectors)
    log.close()
  }

  @Test func `pages are read as they were and as they are`() throws {
    let log = try Log()
    log.writer.run("INSERT INTO t VALUES (1, 'before')")
    let before = try log.index()
    log.writer.run("UPDATE t SET v = 'behind' WHERE id = 1")
    let index = try log.index()
    var frames = LogFrames(salt: index.salt)
    let files = try log.files()
    _ = try frames.read(upTo: before.lastFrame, files)
    let pages = try LoggedPages(
      files,
      pageSize: index.pageSize,
      after: frames,
      upTo: index.lastFrame
    )
    #expect(pages.numbers == [2])
    func text(_ page: DatabasePage) -> String { String(decoding: page.bytes, as: UTF8.self) }
    #expect(try text(pages.before(2)).contains("before"))
    #expect(try text(pages.after(2)).contains("behind"))
    #expect(throws: PageObstacle.damaged) { try pages.after(0) }
    #expect(throws: PageObstacle.unreadable) { try pages.after(999) }
    log.close()
  }
}
