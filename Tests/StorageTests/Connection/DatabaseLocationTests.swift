import Foundation
import Testing
import TestSupport

@testable import Storage
@testable import StorageTestSupport

@Suite struct DatabaseLocationTests {
  private let directory = TemporaryDirectory()

  private func names(_ queue: DatabaseQueue) throws -> [String] {
    try queue.read { db in try String.fetchAll(db, sql: "SELECT name FROM item ORDER BY id") }
  }

  private func fill(_ queue: DatabaseQueue) throws {
    try queue.write { db in
      try db.execute(sql: Item.schema)
      try Item.cup.insert(db)
    }
  }

  @Test func `CON-05: a queue without a path has a private in-memory database`() throws {
    let queue = try DatabaseQueue()
    try fill(queue)
    #expect(queue.path == ":memory:")
    #expect(
      try DatabaseQueue().read { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
      } == 0
    )
  }

  @Test(arguments: [DatabaseLocation.file(""), .temporary])
  func `CON-06: a temporary database is on disk and has no path`(
    location: DatabaseLocation
  ) throws {
    let queue = try DatabaseQueue(location)
    try fill(queue)
    #expect(queue.path == "")
    #expect(try names(queue) == ["cup"])
    // An in-memory database could only have the mode `memory` or `off`.
    #expect(try queue.inDatabase { db in try db.journalMode() } == .delete)
  }

  @Test func `CON-07: an in-memory database is deleted with its last queue`() throws {
    let queue = try DatabaseQueue(named: "vanishing")
    try fill(queue)
    try queue.close()
    let again = try DatabaseQueue(named: "vanishing")
    #expect(throws: DatabaseError.self) { try names(again) }
  }

  @Test func `A-010: queues with the same name share an in-memory database`() throws {
    let first = try DatabaseQueue(named: "a name?with=signs&all")
    let second = try DatabaseQueue(named: "a name?with=signs&all")
    let other = try DatabaseQueue(named: "another name")
    try fill(first)
    #expect(try names(second) == ["cup"])
    try second.write { db in try Item.pot.insert(db) }
    #expect(try names(first) == ["cup", "pot"])
    #expect(throws: DatabaseError.self) { try names(other) }
    let alone = try DatabaseQueue(named: nil)
    #expect(throws: DatabaseError.self) { try names(alone) }
  }

  @Test func `A-010: queues that share an in-memory database wait for each other`() async throws {
    let name = UUID().uuidString
    let queues = try (0..<4).map { _ in try DatabaseQueue(named: name) }
    try await queues[0].write { db in try db.execute(sql: "CREATE TABLE t (n)") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for queue in queues {
        for number in 0..<20 {
          group.addTask {
            try await queue.write { db in
              try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number])
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let count = try await queues[1].read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
    }
    #expect(count == 80)
  }

  @Test func `A-010: an observation sees commits of another queue with the same name`() async throws
  {
    let observed = try DatabaseQueue(named: "observed")
    let writer = try DatabaseQueue(named: "observed")
    try await observed.write { db in
      try db.execute(sql: Item.schema)
      try Item.cup.insert(db)
    }
    let (recorder, cancellable) = Shop.items.record(in: observed)
    #expect(try await recorder.nextValue() == [.cup])
    try await writer.write { db in try Item.pot.insert(db) }
    #expect(try await recorder.nextValue() == [.cup, .pot])
    cancellable.cancel()
  }

  @Test func `A-019: a URI passes its parameters to SQLite`() throws {
    let path = directory.file("a?b#c%d.sqlite")
    try fill(DatabaseQueue(.uri(path)))
    #expect(FileManager.default.fileExists(atPath: path))
    let location = DatabaseLocation.uri(path, parameters: [.mode(.readOnly), .cache(.private)])
    let queue = try DatabaseQueue(location)
    #expect(queue.path == path)
    #expect(try names(queue) == ["cup"])
    expectDatabaseError(.SQLITE_READONLY, "attempt to write a readonly database") {
      try queue.write { db in try db.execute(sql: "DELETE FROM item") }
    }
    #expect(throws: DatabaseError.self) {
      try DatabaseQueue(.uri(directory.file("missing"), parameters: [.mode(.readWrite)]))
    }
  }

  @Test(
    arguments: [
      (.cache(.shared), "cache=shared"), (.immutable(true), "immutable=1"),
      (.modeOf("/a&b"), "modeof=/a%26b"), (.mode(.readWriteCreate), "mode=rwc"),
      (.noLock(false), "nolock=0"), (.powersafeOverwrite(true), "psow=1"),
      (.vfs("unix-excl"), "vfs=unix-excl"), (.other(name: "k=", value: "v#"), "k%3d=v%23"),
    ] as [(DatabaseLocation.URIParameter, String)]
  )
  func `A-019: each URI parameter is written in SQLite's syntax`(
    parameter: DatabaseLocation.URIParameter,
    text: String
  ) {
    let location = DatabaseLocation.uri("/x", parameters: [parameter, .cache(.private)])
    #expect(location.sqliteName == "file:/x?\(text)&cache=private")
  }

  @Test func `CON-03: a read-only database cannot be written`() throws {
    let path = directory.file()
    try fill(DatabaseQueue(path: path))
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    #expect(try names(queue) == ["cup"])
    expectDatabaseError(
      .SQLITE_READONLY,
      "\(queue.path) was opened with Configuration.readonly: it cannot be written"
    ) {
      try queue.write { db in try Item.pot.insert(db) }
    }
    let memory = try DatabaseQueue(configuration: configuration)
    #expect(throws: DatabaseError.self) { try fill(memory) }
  }
}
