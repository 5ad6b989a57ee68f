import Storage
import Testing

@testable import StorageTestSupport

@Suite struct RowCursorTests {
  @Test func `CUR-11, ROW-13: collected rows are copies`() throws {
    try withDatabase { db in
      let cursor = {
        try Row.fetchCursor(db, sql: "SELECT column1 AS n FROM (VALUES (3), (1), (2))")
      }
      let rows = [3, 1, 2].map { Row(["n": $0]) }
      #expect(try Array(cursor()) == rows)
      #expect(try Array(cursor().filter { $0["n"] > 1 }) == [rows[0], rows[2]])
      #expect(try Set(cursor()) == Set(rows))
      #expect(try cursor().suffix(2) == [rows[1], rows[2]])
      #expect(try cursor().dropLast() == [rows[0], rows[1]])
      #expect(try cursor().min { $0["n"] < $1["n"] as Int } == rows[1])
      #expect(try cursor().max { $0["n"] < $1["n"] as Int } == rows[0])
      #expect(try Dictionary(grouping: cursor(), by: { $0["n"] as Int })[1] == [rows[1]])
      let byNumber = try Dictionary(uniqueKeysWithValues: cursor().map { ($0["n"] as Int, $0) })
      #expect(byNumber == [3: rows[0], 1: rows[1], 2: rows[2]])
      let first = try cursor().first()
      #expect(first == rows[0])
    }
  }
}
