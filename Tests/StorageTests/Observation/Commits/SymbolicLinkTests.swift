import Foundation
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// A path with symbolic links, which another process switches to another file.
@Suite struct SymbolicLinkTests {
  /// How the path leads to the file `v1/db.sqlite`, and how it is made to lead elsewhere.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The path, in the directory of the test.
    let path: String
    let link: String
    let change: String
    /// Whether the changed path leads to a file.
    var leadsToFile = true
  }

  static let cases: [Case] = [
    Case(
      testDescription: "a link to the file, switched at once",
      path: "current.sqlite",
      link: "ln -s v1/db.sqlite current.sqlite",
      change: "ln -s v2/db.sqlite new; mv -T new current.sqlite"
    ),
    Case(
      testDescription: "a link to the file, removed and made again",
      path: "current.sqlite",
      link: "ln -s v1/db.sqlite current.sqlite",
      change: "ln -sf v2/db.sqlite current.sqlite"
    ),
    Case(
      testDescription: "a link to the directory",
      path: "current/db.sqlite",
      link: "ln -s v1 current",
      change: "ln -s v2 new; mv -T new current"
    ),
    Case(
      testDescription: "an absolute link to a directory further up",
      path: "current/v1/db.sqlite",
      link: "mkdir other; cp -r v2 other/v1; ln -s \"$PWD\" current",
      change: "ln -s \"$PWD/other\" new; mv -T new current"
    ),
    Case(
      testDescription: "the first of three links",
      path: "a/db.sqlite",
      link: "ln -s b a; ln -s c b; ln -s v1 c",
      change: "ln -s v2 new; mv -T new a"
    ),
    Case(
      testDescription: "the last of three links",
      path: "a/db.sqlite",
      link: "ln -s b a; ln -s c b; ln -s v1 c",
      change: "ln -s v2 new; mv -T new c"
    ),
    Case(
      testDescription: "a link back out of a directory",
      path: "v2/back/v1/db.sqlite",
      link: "ln -s .. v2/back",
      change: "mkdir other; cp -r v2 other/v1; ln -s ../other new; mv -T new v2/back"
    ),
    Case(
      testDescription: "a link that a file replaces",
      path: "current.sqlite",
      link: "ln -s v1/db.sqlite current.sqlite",
      change: "cp v2/db.sqlite new; mv new current.sqlite"
    ),
    Case(
      testDescription: "a link that a directory replaces",
      path: "current/db.sqlite",
      link: "ln -s v1 current",
      change: "rm current; cp -r v2 current"
    ),
    Case(
      testDescription: "a link that is removed",
      path: "current/db.sqlite",
      link: "ln -s v1 current",
      change: "rm current",
      leadsToFile: false
    ),
  ]

  static let journals = ["wal", "delete"]

  /// Runs commands of a shell in a directory.
  static func run(_ commands: String, in directory: TemporaryDirectory) throws {
    let process = try ChildProcess([
      "/bin/sh", "-c", "PATH=/usr/bin:/bin; cd '\(directory.path)'; set -e; \(commands)",
    ])
    process.endInput()
    let output = process.read()
    let status = process.wait()
    try #require(status == 0, "\(commands): \(output)")
  }

  /// Makes `v1/db.sqlite` and `v2/db.sqlite`, which hold the numbers 1 and 2, and the links.
  private func makeFiles(_ test: Case, _ journal: String) throws -> TemporaryDirectory {
    let directory = TemporaryDirectory()
    for number in 1...2 {
      try Self.run("mkdir v\(number)", in: directory)
      try SQLiteShell.run(
        directory.file("v\(number)/db.sqlite"),
        """
        PRAGMA journal_mode = \(journal); CREATE TABLE t (id INTEGER PRIMARY KEY, n);
        INSERT INTO t (n) VALUES (\(number))
        """
      )
    }
    try Self.run(test.link, in: directory)
    return directory
  }

  private static let number = ValueObservation.tracking { db in
    try Int.fetchOne(db, sql: "SELECT n FROM t WHERE id = 1")
  }

  @Test(arguments: cases, journals)
  func `a write fails when the path leads to another file`(
    test: Case,
    journal: String
  ) async throws {
    let directory = try makeFiles(test, journal)
    let path = directory.file(test.path)
    let database: any DatabaseWriter =
      journal == "wal" ? try DatabasePool(path: path) : try DatabaseQueue(path: path)
    try await database.write { db in try db.execute(sql: "INSERT INTO t (n) VALUES (3)") }
    let (recorder, cancellable) = Self.number.record(in: database)
    #expect(try await recorder.nextValue() == 1)
    try Self.run(test.change, in: directory)
    for _ in 0..<2 {
      let error = await #expect(throws: DatabaseError.self) {
        try await database.write { db in try db.execute(sql: "UPDATE t SET n = 9") }
      }
      #expect(error?.extendedResultCode == .SQLITE_READONLY_DBMOVED)
      #expect(error?.message?.contains("open \(path) again") == true)
    }
    #expect(try await recorder.nextError() is DatabaseError)
    if test.leadsToFile {
      #expect(try SQLiteShell.run(path, "SELECT group_concat(n) FROM t") == "2")
    }
    cancellable.cancel()
    try database.close()
  }

  @Test(arguments: cases, journals)
  func `P1: a watcher follows the path to another file`(
    test: Case,
    journal: String
  ) async throws {
    let directory = try makeFiles(test, journal)
    let path = directory.file(test.path)
    var configuration = Configuration()
    configuration.readonly = true
    let pool = try DatabasePool(path: path, configuration: configuration)
    let (recorder, cancellable) = Self.number.record(in: pool)
    #expect(try await recorder.nextValue() == 1)
    try Self.run(test.change, in: directory)
    guard test.leadsToFile else {
      #expect(try await recorder.nextError() is DatabaseError)
      return cancellable.cancel()
    }
    // An attempt at the moment of the change may find no file.
    _ = try await recorder.value { $0 == 2 }
    // The new file, and the directories on the way to it, are watched.
    try SQLiteShell.run(path, "UPDATE t SET n = 7")
    _ = try await recorder.value { $0 == 7 }
    cancellable.cancel()
    try pool.close()
  }

  @Test func `a link to a missing file is followed when the file is made`() throws {
    let directory = TemporaryDirectory()
    try Self.run("mkdir v1; ln -s v1/db.sqlite current.sqlite", in: directory)
    let path = directory.file("current.sqlite")
    let pool = try DatabasePool(path: path)
    try pool.write { db in try db.execute(sql: "CREATE TABLE t (n); INSERT INTO t VALUES (1)") }
    #expect(try SQLiteShell.run(directory.file("v1/db.sqlite"), "SELECT n FROM t") == "1")
    try pool.close()
  }

  @Test func `links that do not lead to another file change nothing`() throws {
    let directory = try makeFiles(Self.cases[2], "wal")
    let pool = try DatabasePool(path: directory.file("current/db.sqlite"))
    try Self.run("ln -s v1 same; mv -T same current", in: directory)
    try pool.write { db in try db.execute(sql: "UPDATE t SET n = 5") }
    try Self.run("ln -s v2 new; mv -T new current; ln -s v1 new; mv -T new current", in: directory)
    try pool.write { db in try db.execute(sql: "UPDATE t SET n = 6") }
    try pool.close()
    #expect(try SQLiteShell.run(directory.file("v1/db.sqlite"), "SELECT n FROM t") == "6")
  }
}
