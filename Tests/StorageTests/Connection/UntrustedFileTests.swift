import CWellspringSQLite
import Foundation
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

@Suite struct UntrustedFileTests {
  private final class Dump: TextOutputStream {
    var text = ""
    func write(_ string: String) { text += string }
  }

  private let directory = TemporaryDirectory()

  private func makeFile(_ sql: String) throws -> String {
    let path = directory.file("\(UInt64.random(in: 0...(.max))).sqlite")
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in try db.execute(sql: sql) }
    try queue.close()
    return path
  }

  @Test func `a file of others is read, and only read`() throws {
    let path = try makeFile(
      """
      CREATE TABLE item (name);
      CREATE INDEX itemOnName ON item (name);
      INSERT INTO item VALUES ('cup');
      """
    )
    let pool = try DatabasePool(path: path, configuration: .untrusted)
    try pool.read { db throws in
      #expect(try String.fetchAll(db, sql: "SELECT name FROM item") == ["cup"])
      #expect(try db.tableExists("item"))
      #expect(try db.columns(in: "item").map(\.name) == ["name"])
      let refusals = [
        "ATTACH ':memory:' AS other":
          "the file is not trusted: no database may be attached or detached",
        "PRAGMA trusted_schema = ON":
          "the file is not trusted: PRAGMA trusted_schema may not be set",
        "PRAGMA MMAP_SIZE = 1000000": "the file is not trusted: PRAGMA mmap_size may not be set",
      ]
      for (sql, message) in refusals {
        expectDatabaseError(.SQLITE_AUTH, message) { try db.execute(sql: sql) }
      }
      for function in ["load_extension", "fts3_tokenizer"] {
        expectDatabaseError(.SQLITE_ERROR, "not authorized to use function: \(function)") {
          try db.execute(sql: "SELECT \(function)('x')")
        }
      }
      let writes = [
        "INSERT INTO item VALUES ('tea')", "CREATE TABLE other (x)", "CREATE TEMP TABLE other (x)",
        "DROP TABLE item", "ANALYZE", "REINDEX", "VACUUM",
      ]
      for sql in writes {
        expectDatabaseError(
          .SQLITE_READONLY,
          "\(path) was opened with Configuration.readonly: it cannot be written"
        ) { try db.execute(sql: sql) }
      }
      #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
    }
    try pool.close()
  }

  @Test func `SQLite is told to distrust the file`() throws {
    let path = try makeFile("CREATE TABLE item (name)")
    for configuration in [Configuration.untrusted, Configuration()] {
      let expected = configuration.trustsFile ? 1 : 0
      try DatabasePool(path: path, configuration: configuration).read { db throws in
        #expect(try Int.fetchOne(db, sql: "PRAGMA trusted_schema") == expected)
        #expect(try Int.fetchOne(db, sql: "PRAGMA cell_size_check") == 1 - expected)
        #expect(try Int.fetchOne(db, sql: "PRAGMA mmap_size") ?? 0 == 0)
      }
    }
  }

  @Test func `a view of the file cannot call functions of the application`() throws {
    let path = try makeFile("CREATE VIEW trap AS SELECT secret() AS value")
    let secret = DatabaseFunction("secret", argumentCount: 0) { _ in "secret" }
    for isTrusted in [true, false] {
      var configuration = isTrusted ? Configuration() : .untrusted
      configuration.prepareDatabase { db in db.add(function: secret) }
      try DatabasePool(path: path, configuration: configuration).read { db throws in
        let query = "SELECT value FROM trap"
        if isTrusted {
          #expect(try String.fetchOne(db, sql: query) == "secret")
        } else {
          expectDatabaseError(.SQLITE_ERROR, "unsafe use of secret()") {
            _ = try String.fetchOne(db, sql: query)
          }
          #expect(try String.fetchOne(db, sql: "SELECT secret()") == "secret")
        }
      }
    }
  }

  @Test func `a view that never ends is stopped`() throws {
    let path = try makeFile(
      """
      CREATE VIEW trap AS WITH RECURSIVE number(n) AS (
        SELECT 1 UNION ALL SELECT n + 1 FROM number
      ) SELECT count(*) AS value FROM number
      """
    )
    var configuration = Configuration.untrusted
    #expect(configuration.statementTimeout == .seconds(10))
    configuration.statementTimeout = .milliseconds(20)
    let pool = try DatabasePool(path: path, configuration: configuration)
    let error = #expect(throws: DatabaseError.self) {
      _ = try pool.read { db in try Int.fetchOne(db, sql: "SELECT value FROM trap") }
    }
    #expect(error?.resultCode == .SQLITE_INTERRUPT)
  }

  @Test func `a value that would fill the memory is an error`() throws {
    let path = try makeFile("CREATE VIEW trap AS SELECT zeroblob(900000000) AS value")
    let pool = try DatabasePool(path: path, configuration: .untrusted)
    expectDatabaseError(.SQLITE_TOOBIG, "string or blob too big") {
      _ = try pool.read { db in try Int.fetchOne(db, sql: "SELECT length(value) FROM trap") }
    }
  }

  @Test func `a file of others that is written stays restricted to itself`() throws {
    let path = try makeFile("CREATE TABLE item (name)")
    var configuration = Configuration.untrusted
    configuration.readonly = false
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.write { db throws in
      try db.execute(sql: "INSERT INTO item VALUES ('cup')")
      expectDatabaseError(
        .SQLITE_AUTH,
        "the file is not trusted: no database may be attached or detached"
      ) { try db.attach(":memory:", as: "other") }
      // The schema table cannot be written, whatever a pragma says.
      try db.execute(sql: "PRAGMA writable_schema = ON")
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "UPDATE sqlite_master SET sql = 'x'")
      }
    }
    #expect(try pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM item") } == 1)
  }

  @Test func `full-text search and JSON work in a file of others`() throws {
    let path = try makeFile(
      """
      CREATE VIRTUAL TABLE page USING fts5(text);
      INSERT INTO page VALUES ('a warm cup of tea'), ('cold water');
      """
    )
    let pool = try DatabasePool(path: path, configuration: .untrusted)
    try pool.read { db throws in
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM page WHERE page MATCH 'tea'") == 1)
      let dump = Dump()
      #expect(try Int.fetchOne(db, sql: "SELECT value FROM json_each('[3]')") == 3)
      try db.dumpContent(to: dump)
      #expect(dump.text.contains("cold water"))
    }
  }

  @Test func `names in the schema that are no text are errors, and stop nothing`() async throws {
    let path = try makeFile(
      """
      CREATE TABLE item (name_ TEXT DEFAULT 'x');
      CREATE TABLE other_ (item_ REFERENCES item (name_));
      CREATE INDEX byName_ ON item (name_);
      """
    )
    // Every underscore becomes a byte that no UTF-8 text holds.
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for index in bytes.indices where bytes[index] == UInt8(ascii: "_") {
      bytes[index] = 0xFF
    }
    try bytes.write(to: URL(fileURLWithPath: path))
    for configuration in [Configuration.untrusted, Configuration()] {
      let pool = try DatabasePool(path: path, configuration: configuration)
      try await pool.read { db throws in
        #expect(throws: (any Error).self) { _ = try db.columns(in: "item") }
        #expect(throws: (any Error).self) { _ = try db.indexes(on: "item") }
        _ = try? db.foreignKeys(on: "item")
        // Names that are not UTF-8 are shown with replacement characters.
        _ = try SchemaObject.fetchAll(db, sql: "SELECT * FROM sqlite_master")
      }
      let (recorder, cancellable) = ValueObservation.tracking { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM item")
      }.record(in: pool)
      _ = try await recorder.next()
      cancellable.cancel()
      try? await pool.write { db in try db.execute(sql: "INSERT INTO item VALUES ('cup')") }
    }
  }

  @Test func `a file of others is observed, and its changes are noticed`() async throws {
    let path = try makeFile("CREATE TABLE item (name); INSERT INTO item VALUES ('cup')")
    let writer = try DatabaseQueue(path: path)
    let pool = try DatabasePool(path: path, configuration: .untrusted)
    let values = ValueObservation.tracking { db throws in
      try String.fetchAll(db, sql: "SELECT name FROM item ORDER BY name")
    }.values(in: pool)
    var iterator = values.makeAsyncIterator()
    #expect(try await iterator.next() == ["cup"])
    try await writer.write { db in try db.execute(sql: "INSERT INTO item VALUES ('tea')") }
    #expect(try await iterator.next() == ["cup", "tea"])
  }

  @Test func `an R-tree of an untrusted file can be read`() async throws {
    let path = try makeFile(
      "CREATE VIRTUAL TABLE place USING rtree (id, west, east); INSERT INTO place VALUES (1, 2, 3)"
    )
    let pool = try DatabasePool(path: path, configuration: .untrusted)
    let ids = try await pool.read { db in
      try Int.fetchAll(db, sql: "SELECT id FROM place WHERE west < 3")
    }
    #expect(ids == [1])
    await #expect(throws: DatabaseError.self) {
      try await pool.read { db in try db.execute(sql: "DELETE FROM place_node") }
    }
  }
}
