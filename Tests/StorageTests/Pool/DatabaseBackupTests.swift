import Foundation
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

@Suite struct DatabaseBackupTests {
  private static let names = "SELECT name FROM item ORDER BY id"

  @Test func `A-010: in-memory and temporary copies of a file do not change the file`() throws {
    let shop = try Shop()
    let copies = [
      try DatabaseQueue.inMemoryCopy(fromPath: shop.path),
      try DatabaseQueue.temporaryCopy(fromPath: shop.path),
    ]
    #expect(copies.map(\.path) == [":memory:", ""])
    for copy in copies {
      try copy.write { db in try db.execute(sql: "INSERT INTO item (name) VALUES ('pan')") }
      #expect(
        try copy.read { db in try String.fetchAll(db, sql: Self.names) } == ["cup", "pot", "pan"]
      )
    }
    #expect(
      try shop.pool.read { db in try String.fetchAll(db, sql: Self.names) } == ["cup", "pot"]
    )
    #expect(throws: DatabaseError.self) {
      try DatabaseQueue.inMemoryCopy(fromPath: shop.directory.file("missing"))
    }
  }

  @Test func `A-015: a backup copies in steps, and reports the progress after each step`() throws {
    let shop = try Shop()
    try shop.pool.write { db in
      try db.execute(sql: "CREATE TABLE big AS SELECT hex(zeroblob(100000)) AS text")
    }
    let copy = try DatabaseQueue(path: shop.directory.file("copy.sqlite"))
    var steps: [DatabaseBackupProgress] = []
    try shop.pool.backup(to: copy, pagesPerStep: 20) { steps.append($0) }
    #expect(steps.count > 2)
    #expect(steps.map(\.isCompleted) == steps.dropLast().map { _ in false } + [true])
    #expect(steps.first?.completedPageCount == 20)
    #expect(steps.last?.remainingPageCount == 0)
    #expect(try copy.read { db in try String.fetchAll(db, sql: Self.names) } == ["cup", "pot"])
    struct Enough: Error {}
    let other = try DatabaseQueue()
    #expect(throws: Enough.self) {
      try shop.pool.backup(to: other, pagesPerStep: 1) { _ in throw Enough() }
    }
    #expect(
      try other.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") } == 0
    )
  }

  @Test func `a backup notifies observations of the destination`() async throws {
    let shop = try Shop()
    let queue = try DatabaseQueue()
    try await queue.write { db in try db.execute(sql: Item.schema) }
    let (recorder, cancellable) = Shop.items.record(in: queue)
    #expect(try await recorder.nextValue() == [])
    try shop.pool.backup(to: queue)
    #expect(try await recorder.nextValue() == [.cup, .pot])
    cancellable.cancel()
  }

  @Test func `a backup into a locked file throws`() throws {
    let shop = try Shop()
    let path = shop.directory.file("copy.sqlite")
    var configuration = Configuration()
    configuration.busyMode = .immediateError
    let copy = try DatabaseQueue(path: path, configuration: configuration)
    let other = try DatabaseQueue(path: path)
    try other.write { db in
      try db.execute(sql: "CREATE TABLE t (a)")
      expectDatabaseError(.SQLITE_BUSY, "the database is locked") {
        try shop.pool.backup(to: copy)
      }
    }
  }
}
