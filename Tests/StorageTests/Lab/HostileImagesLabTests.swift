import CWellspringSQLite
import Dispatch
import Foundation
import Storage
import TestSupport
import Testing
import WellspringSystem

@testable import StorageTestSupport

/// The damaged files of SQLite's own tests, which `Scripts/fuzz-images.sh` gets from Debian.
/// `WELLSPRING_IMAGES` is the folder of the archives that hold them.
@Suite struct HostileImagesLabTests {
  private static let folder = ProcessInfo.processInfo.environment["WELLSPRING_IMAGES"]

  /// Another program that writes the file, whose statements end soon.
  private final class OtherProgram {
    private var connection: OpaquePointer?

    init(_ path: String) {
      sqlite3_open(path, &connection)
      sqlite3_progress_handler(connection, 50_000, { _ in 1 }, nil)
    }

    deinit { sqlite3_close_v2(connection) }

    func run(_ sql: String) { sqlite3_exec(connection, sql, nil, nil, nil) }
  }

  private static let configuration: Configuration = {
    var configuration = Configuration.untrusted
    configuration.statementTimeout = .milliseconds(100)
    return configuration
  }()

  @Test(.enabled(if: folder != nil))
  func `soak: a damaged file of SQLite's tests leads to an error or a value`() throws {
    let folder = try #require(Self.folder)
    let archives = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    let directory = TemporaryDirectory()
    var count = 0
    for archive in archives where archive.hasSuffix(".db") {
      var configuration = Configuration()
      configuration.readonly = true
      let images = try DatabaseQueue(path: "\(folder)/\(archive)", configuration: configuration)
      try images.read { db in
        let rows = try Row.fetchCursor(db, sql: "SELECT dbid, dbcontent FROM db")
        while let row = try rows.next() {
          let (id, image): (Int, Data) = (row[0], row[1])
          // Each file is read as it is, and as a file with a log, whose pages are read.
          for hasLog in [false, true] {
            let path = directory.file("\(archive).\(id).\(hasLog).sqlite")
            var bytes = Array(image)
            if hasLog, bytes.count > 20 { (bytes[18], bytes[19]) = (2, 2) }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            try HostileFile.check("\(archive), \(id)\(hasLog ? ", with a log" : "")") {
              try Self.use(path)
            }
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
            count += 1
          }
        }
      }
    }
    #expect(count > 1000)
  }

  private static func attempt(_ body: () throws -> Void) { try? body() }

  private static func use(_ path: String) throws {
    let pool = try DatabasePool(path: path, configuration: configuration)
    defer { try? pool.close() }
    var tables: [String] = []
    attempt {
      tables = try pool.read { db in
        try String.fetchAll(
          db,
          sql: "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') LIMIT 8"
        )
      }
    }
    for table in tables {
      attempt {
        try pool.read { db in
          _ = try? db.columns(in: table)
          _ = try? db.indexes(on: table)
          let sql = "SELECT * FROM \(table.quotedDatabaseIdentifier)"
          let rows = try Row.fetchCursor(db, sql: sql)
          var count = 0
          while try rows.next() != nil, count < 1000 { count += 1 }
        }
      }
    }
    attempt { try pool.read { db in try db.dumpContent(to: HostileFile.Discarded()) } }
    try observe(tables.prefix(3), pool)
  }

  /// Waits for the first value or error of observations, and for the reactions to the commits of
  /// another program.
  private static func observe(_ tables: some Collection<String>, _ pool: DatabasePool) throws {
    let first = DispatchSemaphore(value: 0)
    let observations = tables.map { table in
      let sql = "SELECT * FROM \(table.quotedDatabaseIdentifier) LIMIT 1000"
      return ValueObservation.tracking(AllElements(SQLRequest<Row>(sql: sql))).start(
        in: pool,
        scheduling: .async(onQueue: .global()),
        onError: { _ in first.signal() },
        onChange: { _ in first.signal() }
      )
    }
    for _ in observations { first.wait() }
    let other = OtherProgram(pool.path)
    for table in tables {
      let name = table.quotedDatabaseIdentifier
      for sql in [
        "INSERT INTO \(name) DEFAULT VALUES",
        "UPDATE \(name) SET rowid = rowid + 1000 WHERE rowid = (SELECT max(rowid) FROM \(name))",
        "DELETE FROM \(name) WHERE rowid = (SELECT min(rowid) FROM \(name))",
      ] {
        other.run(sql)
        HostileFile.waitUntilQuiet(pool)
      }
    }
    for observation in observations { observation.cancel() }
  }
}
