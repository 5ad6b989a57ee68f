import Testing

@testable import Storage
@testable import StorageTestSupport

@Suite struct StatementRunTests {
  @Test func `two cursors with the same SQL keep separate arguments`() throws {
    try withDatabase { db throws in
      let one = try Int.fetchCursor(db, sql: "SELECT ?", arguments: [1])
      let two = try Int.fetchCursor(db, sql: "SELECT ?", arguments: [2])
      #expect(try two.next() == 2)
      #expect(try one.next() == 1)
      withExtendedLifetime((one, two)) {}
    }
  }

  @Test func `a cursor throws the error of its last step again`() throws {
    try withDatabase { db throws in
      let sql = "SELECT abs(column1) FROM (VALUES (1), (-9223372036854775807 - 1))"
      let cursor = try Int.fetchCursor(db, sql: sql).map { $0 + 1 }
      #expect(try cursor.next() == 2)
      for _ in 1...3 { #expect(throws: DatabaseError.self) { try cursor.next() } }
      let failing = try Int.fetchCursor(db, sql: "SELECT abs(-9223372036854775807 - 1)")
      for _ in 1...3 { #expect(throws: DatabaseError.self) { try failing.next() } }
    }
  }

  @Test func `a cursor can be used again after an error`() async {
    await #expect(processExitsWith: .success) {
      try withDatabase { db throws in
        let sql = "SELECT abs(column1) FROM (VALUES (1), (-9223372036854775807 - 1))"
        let cursor = try Int.fetchCursor(db, sql: sql)
        _ = try cursor.next()
        _ = try? cursor.next()
        _ = try? cursor.next()
      }
    }
  }

  @Test func `a live row that is used after its access stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let row = try DatabaseQueue().read { db in
        try Row.fetchCursor(db, sql: "SELECT 5 AS x").next()
      }
      print(row?.description ?? "")
    }
  }
}
