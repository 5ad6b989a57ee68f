import Dispatch
import Foundation
import Storage
import Testing
import TestSupport
import WellspringSystem

@testable import StorageTestSupport

@Suite struct DatabasePoolOpeningTests {
  let directory = TemporaryDirectory()

  func open(_ path: String, readonly: Bool = false) throws {
    var configuration = Configuration()
    configuration.readonly = readonly
    _ = try DatabasePool(path: path, configuration: configuration)
  }

  @Test func `CON-01: a file that does not exist is created`() throws {
    let path = directory.file("new.sqlite")
    try open(path)
    #expect(try SQLiteShell.run(path, "PRAGMA journal_mode") == "wal")
  }

  @Test func `CON-02: a missing directory is named in the error, and not created`() {
    let missing = directory.path + "/missing"
    expectDatabaseError(
      .SQLITE_CANTOPEN,
      "\(missing)/x.sqlite cannot be opened: the directory \(missing) does not exist"
    ) {
      try open("\(missing)/x.sqlite")
    }
  }

  @Test func `opening a directory throws an error`() {
    let error = #expect(throws: DatabaseError.self) { try open(directory.path) }
    #expect(error?.resultCode == .SQLITE_CANTOPEN)
    #expect(error?.message == "\(directory.path) is a directory")
  }

  @Test(
    arguments: [
      (DatabaseLocation.file(""), "the path is empty: use DatabaseQueue() for a database in"),
      (.temporary, "the path is empty: use DatabaseQueue() for a database in"),
      (.file(":memory:"), ":memory: is not a file: use DatabaseQueue() for a database in"),
      (
        .inMemory(named: "shop"),
        "file:/shop?vfs=memdb is not a file: use DatabaseQueue(_:) for this location in"
      ),
    ],
    [false, true]
  )
  func `a pool without a file throws an error that says what to use`(
    location: (DatabaseLocation, String),
    readonly: Bool
  ) {
    var configuration = Configuration()
    configuration.readonly = readonly
    expectDatabaseError(
      .SQLITE_CANTOPEN,
      "a DatabasePool needs a file for its WAL, but \(location.1) memory"
    ) {
      _ = try DatabasePool(location.0, configuration: configuration)
    }
  }

  @Test(arguments: [false, true])
  func `opening a file of another kind throws an error, and does not change the file`(
    readonly: Bool
  ) throws {
    let path = directory.file("text")
    let data = Data(String(repeating: "not a database ", count: 1000).utf8)
    try data.write(to: URL(fileURLWithPath: path))
    expectDatabaseError(.SQLITE_NOTADB, "\(path) is not a SQLite database") {
      try open(path, readonly: readonly)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == data)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["text"])
  }

  @Test func `watching a missing file throws an error, and does not create the file`() throws {
    let path = directory.file("missing")
    let error = #expect(throws: DatabaseError.self) { try open(path, readonly: true) }
    #expect(error?.resultCode == .SQLITE_CANTOPEN)
    #expect(error?.message?.hasPrefix("\(path) does not exist") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
  }

  @Test func `CON-03: the error of a WAL file in a read-only directory names what is missing`()
    throws
  {
    let path = directory.file()
    try SQLiteShell.run(path, "PRAGMA journal_mode = WAL; CREATE TABLE t (n)")
    #expect(chmod(directory.path, 0o555) == 0)
    defer { chmod(directory.path, 0o755) }
    // The superuser may write everywhere.
    guard !FileAccess.isWritable(directory.path) else { return }
    expectDatabaseError(
      .SQLITE_CANTOPEN,
      """
      \(path) cannot be opened: it is in WAL mode, and the files \(path)-wal and \(path)-shm are missing \
      or cannot be used, while the directory \(directory.path) is not writable
      """
    ) {
      try open(path, readonly: true)
    }
  }

  @Test func `an empty file is an empty database`() throws {
    let path = directory.file("empty")
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    try open(path, readonly: true)
    try open(path)
  }

  @Test(arguments: ["two words", "q?mode=ro", "50%25", "#1", "smörgås 🫖", "file:x", "a'b\"c", "&="])
  func `a file of any name can be opened`(name: String) throws {
    let path = directory.file(name)
    let pool = try DatabasePool(path: path)
    try pool.write { db in try db.execute(sql: Item.schema) }
    try pool.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [name])
    var configuration = Configuration()
    configuration.readonly = true
    let watcher = try DatabasePool(path: path, configuration: configuration)
    #expect(try watcher.read { db in try Item.fetchAll(db, sql: "SELECT * FROM item") } == [])
  }

  @Test(arguments: [1...8, 9...16, 17...24])
  func `many threads can open a new file at the same time`(numbers: ClosedRange<Int>) throws {
    let path = directory.file()
    let errors = Lock<[String]>([])
    DispatchQueue.concurrentPerform(iterations: numbers.count) { index in
      do {
        let pool = try DatabasePool(path: path)
        try pool.write { db in
          try db.execute(sql: "CREATE TABLE IF NOT EXISTS t (n)")
          try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [index])
        }
        _ = try pool.read { db in try Int.fetchAll(db, sql: "SELECT n FROM t") }
      } catch {
        errors.withLock { $0.append("\(error)") }
      }
    }
    #expect(errors.withLock { $0 } == [])
    let count = try SQLiteShell.run(path, "SELECT count(*) FROM t; PRAGMA integrity_check")
    #expect(count == "\(numbers.count)\nok")
  }

  @Test func `A-021: eight processes can open a new file at the same time`() async throws {
    let path = directory.file()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          await #expect(processExitsWith: .success) { [path = path as String] in
            for _ in 0..<3 {
              let pool = try DatabasePool(path: path)
              try await pool.write { db in
                try db.execute(sql: "CREATE TABLE IF NOT EXISTS t (n); INSERT INTO t VALUES (1)")
              }
              try pool.close()
            }
          }
        }
      }
    }
    let count = try SQLiteShell.run(path, "SELECT count(*) FROM t; PRAGMA integrity_check")
    #expect(count == "24\nok")
  }

  @Test func `watching a directory throws an error that names it`() throws {
    let directory = TemporaryDirectory()
    var configuration = Configuration()
    configuration.readonly = true
    let error = #expect(throws: DatabaseError.self) {
      try DatabasePool(path: directory.path, configuration: configuration)
    }
    #expect(error?.message == "\(directory.path) is a directory")
  }

  @Test func `a path with a NUL character is refused`() throws {
    let directory = TemporaryDirectory()
    expectDatabaseError(
      .SQLITE_CANTOPEN,
      "the path holds a NUL character, which would end it"
    ) { _ = try DatabasePool(path: directory.file("a\0b")) }
  }
}
