import CWellspringSQLite
import Foundation
import Testing

@testable import Recording
@testable import Storage
@testable import StorageTestSupport

@Suite struct PreupdateRowTests {
  /// Calls `body` with the values of two bound parameters.
  private static func withValues(
    _ bind: (OpaquePointer, Int32) -> Int32,
    _ body: (OpaquePointer, OpaquePointer) throws -> Void
  ) throws {
    var connection: OpaquePointer?
    var statement: OpaquePointer?
    defer {
      sqlite3_finalize(statement)
      sqlite3_close(connection)
    }
    try #require(sqlite3_open(":memory:", &connection) == SQLITE_OK)
    try #require(sqlite3_prepare_v2(connection, "SELECT ?, ?", -1, &statement, nil) == SQLITE_OK)
    let bound = try #require(statement)
    try #require(bind(bound, 1) == SQLITE_OK)
    try #require(bind(bound, 2) == SQLITE_OK)
    try #require(sqlite3_step(bound) == SQLITE_ROW)
    try body(
      #require(sqlite3_column_value(bound, 0)),
      #require(sqlite3_column_value(bound, 1))
    )
  }

  private static let values: [DatabaseValue] = [
    .null, 0.databaseValue, 1.databaseValue, 0.0.databaseValue, (-0.0).databaseValue,
    1.0.databaseValue, "".databaseValue, "1".databaseValue, "a".databaseValue,
    "\u{e9}".databaseValue, "e\u{301}".databaseValue, DatabaseValue(storage: .blob(.init())),
    DatabaseValue(storage: .blob(.init("a".utf8))), DatabaseValue(storage: .blob(.init("b".utf8))),
  ]

  @Test func `values are equal if their types and bytes are`() throws {
    for (first, old) in Self.values.enumerated() {
      for (second, new) in Self.values.enumerated() {
        try Self.withValues { statement, index in
          let value = index == 1 ? old : new
          return switch value.storage {
          case .null: sqlite3_bind_null(statement, index)
          case .int64(let number): sqlite3_bind_int64(statement, index, number)
          case .double(let number): sqlite3_bind_double(statement, index, number)
          case .string(let text):
            sqlite3_bind_text(
              statement,
              index,
              text,
              Int32(text.utf8.count),
              unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            )
          case .blob(let data):
            data.isEmpty
              ? sqlite3_bind_zeroblob(statement, index, 0)
              : data.withUnsafeBytes {
                sqlite3_bind_blob(
                  statement,
                  index,
                  $0.baseAddress,
                  Int32($0.count),
                  unsafeBitCast(-1, to: sqlite3_destructor_type.self)
                )
              }
          }
        } _: { left, right in
          #expect(PreupdateRow.differs(left, right) == (first != second), "\(old) \(new)")
        }
      }
    }
  }

  /// Calls `body` with a value that SQLite has no memory for.
  private static func withoutMemory(_ body: (OpaquePointer, OpaquePointer) throws -> Void) throws {
    try withValues {
      sqlite3_bind_zeroblob64($0, $1, 64_000_000)
    } _: { left, right in
      sqlite3_hard_heap_limit64(sqlite3_memory_used() + 1_000_000)
      defer { sqlite3_hard_heap_limit64(0) }
      try body(left, right)
    }
  }

  @Test func `without memory, whether values differ is not known`() async {
    await #expect(processExitsWith: .success) {
      await Task.yield()
      try Self.withoutMemory { try #require(PreupdateRow.differs($0, $1) == nil) }
    }
  }

  @Test func `without memory, a value is no part of a key`() async {
    await #expect(processExitsWith: .success) {
      await Task.yield()
      try Self.withoutMemory { value, _ in
        var key: [UInt8] = []
        let isKey = key.appendKey(value, .binary)
        try #require(!isKey)
      }
    }
  }

  @Test func `without memory, a recording lacks the value`() async {
    await #expect(processExitsWith: .success) {
      await Task.yield()
      try Self.withoutMemory { value, _ in
        var buffer = RecordingBuffer()
        buffer.append(value)
        try #require(buffer.lacksValue)
      }
    }
  }

  @Test func `P1: without memory for the new value, a changed value is seen`() async {
    await #expect(processExitsWith: .success) {
      let shop = try Shop()
      let size = 32_000_000
      try await shop.pool.write { db in
        try db.execute(sql: "CREATE TABLE file (id INTEGER PRIMARY KEY, content BLOB)")
        try db.execute(sql: "INSERT INTO file VALUES (1, randomblob(?))", arguments: [size])
      }
      let (recorder, cancellable) = ValueObservation.tracking { db in
        try String.fetchOne(db, sql: "SELECT hex(substr(content, 1, 2)) FROM file")
      }.record(in: shop.pool)
      _ = try await recorder.nextValue()
      try await shop.pool.write { db in
        // Enough for the old value, not for both.
        sqlite3_hard_heap_limit64(sqlite3_memory_used() + Int64(size) * 3 / 2)
        defer { sqlite3_hard_heap_limit64(0) }
        try db.execute(sql: "UPDATE file SET content = zeroblob(?)", arguments: [size])
      }
      let value = try await recorder.nextValue()
      try #require(value == "0000")
      cancellable.cancel()
    }
  }
}
