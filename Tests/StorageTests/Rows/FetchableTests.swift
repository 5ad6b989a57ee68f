import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// Rows, values and records can all be fetched with a cursor, as an array, as a set, or one at a
/// time.
@Suite struct FetchableTests {
  static let sql = "SELECT * FROM (VALUES (1, 'cup'), (2, 'pot'), (1, 'cup'), (3, 'can'))"
  static let filtered = sql + " WHERE column1 < ?"

  struct Pair: Codable, Hashable, FetchableRecord {
    var column1: Int
    var column2: String
  }

  /// Fetches in all ways, from SQL and from a statement, with and without arguments.
  func check<Element: Fetchable & Hashable>(
    _ elements: [Element],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try withDatabase { db in
      let found = elements.dropLast()
      let cases: [(sql: String, arguments: StatementArguments, expected: [Element])] = [
        (Self.sql, StatementArguments(), elements), (Self.filtered, [3], Array(found)),
        (Self.filtered, [0], []),
      ]
      for (sql, arguments, expected) in cases {
        let cursor = try Element.fetchCursor(db, sql: sql, arguments: arguments)
        #expect(try Array(cursor) == expected, sourceLocation: sourceLocation)
        let all = try Element.fetchAll(db, sql: sql, arguments: arguments)
        #expect(all == expected, sourceLocation: sourceLocation)
        let set = try Element.fetchSet(db, sql: sql, arguments: arguments)
        #expect(set == Set(expected), sourceLocation: sourceLocation)
        let one = try Element.fetchOne(db, sql: sql, arguments: arguments)
        #expect(one == expected.first, sourceLocation: sourceLocation)

        let statement = try db.makeStatement(sql: sql)
        try statement.setArguments(arguments)
        #expect(try Array(Element.fetchCursor(statement)) == expected)
        #expect(try Element.fetchAll(statement) == expected, sourceLocation: sourceLocation)
        #expect(try Element.fetchSet(statement) == Set(expected), sourceLocation: sourceLocation)
        #expect(try Element.fetchOne(statement) == expected.first, sourceLocation: sourceLocation)
      }
      #expect(try Element.fetchAll(db, sql: Self.sql) == elements, sourceLocation: sourceLocation)
    }
  }

  @Test func `STM-07, STM-22, CUR-02, ROW-01, ROW-02, ROW-03, ROW-04: rows are fetched`() throws {
    let rows = [(1, "cup"), (2, "pot"), (1, "cup"), (3, "can")]
      .map { Row(["column1": $0.0, "column2": $0.1]) }
    try check(rows)
    try withDatabase { db in
      let cursor: RowCursor = try Row.fetchCursor(db, sql: Self.sql)
      #expect(try cursor.next() == rows[0])
      #expect(try cursor.next() == rows[1])
    }
  }

  @Test func `STM-17, STM-22, CUR-02, VAL-19: values are fetched from the leftmost column`() throws
  {
    try check([1, 2, 1, 3])
    try check([1, 2, 1, 3] as [Int64])
    try check([1, 2, 1, 3].map(\.databaseValue))
  }

  @Test func `STM-22, CUR-02: records are fetched`() throws {
    try check(
      [(1, "cup"), (2, "pot"), (1, "cup"), (3, "can")].map { Pair(column1: $0.0, column2: $0.1) }
    )
  }

  @Test func `CUR-08: fetched arrays and sets can be used on any thread, after the access`() throws
  {
    let shop = try Shop()
    let (rows, items, names) = try shop.pool.read { db in
      let sql = "SELECT * FROM item ORDER BY id"
      return (
        try Row.fetchAll(db, sql: sql), try Item.fetchAll(db, sql: sql),
        try String.fetchSet(db, sql: "SELECT name FROM item")
      )
    }
    try onAnotherThread {
      #expect(rows.map { $0["name"] } == ["cup", "pot"])
      #expect(items == [.cup, .pot])
      #expect(names == ["cup", "pot"])
    }
  }
}
