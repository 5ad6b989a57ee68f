import CWellspringSQLite
import Foundation
import Storage
import Testing

@testable import StorageTestSupport

/// The whole error messages for wrong statements, wrong arguments and unexpected rows.
@Suite struct BadInputTests {
  typealias Case = BadInputCase

  struct Record: Decodable, FetchableRecord {
    var id: Int
    var level: UInt8?
  }

  enum Color: Int, DatabaseValueConvertible { case red }

  static let statements = [
    Case(
      "a syntax error",
      #"SQLite error 1: near "FORM": syntax error - while executing "SELECT * FORM item""#
    ) {
      try $0.execute(sql: "SELECT * FORM item")
    },
    Case(
      "STM-25: an ORDER without BY",
      #"SQLite error 1: near "name": syntax error - while executing "SELECT * FROM item ORDER name DESC""#
    ) { _ = try Item.fetchAll($0, sql: "SELECT * FROM item ORDER name DESC") },
    Case(
      "an unknown table",
      #"SQLite error 1: no such table: shop - while executing "SELECT * FROM shop""#
    ) {
      _ = try Row.fetchAll($0, sql: "SELECT * FROM shop")
    },
    Case(
      "an unknown column",
      #"SQLite error 1: no such column: nmae - while executing "SELECT nmae FROM item""#
    ) { _ = try Row.fetchOne($0, sql: "SELECT nmae FROM item") },
    Case("nothing", #"SQLite error 21: no SQL statement - while executing "-- SELECT 1""#) {
      _ = try Row.fetchAll($0, sql: "-- SELECT 1")
    },
    Case(
      "STM-20: several statements",
      #"SQLite error 21: several SQL statements where one is expected - while executing "SELECT 1; SELECT 2""#
    ) { _ = try Int.fetchOne($0, sql: "SELECT 1; SELECT 2") },
    Case(
      "a statement and garbage",
      #"SQLite error 1: near "garbage": syntax error - while executing "SELECT 1; garbage""#
    ) { _ = try Int.fetchOne($0, sql: "SELECT 1; garbage") },
    Case(
      "a NUL character",
      "SQLite error 21: the SQL holds a NUL character, which would end it: bind values as arguments "
        + "- while executing \"SELECT '\0'\""
    ) { _ = try Int.fetchOne($0, sql: "SELECT '\0'") },
    Case(
      "a failed constraint",
      #"SQLite error 1299 (SQLITE_CONSTRAINT_NOTNULL): NOT NULL constraint failed: item.name - while executing "INSERT INTO item VALUES (1, NULL, 2)""#
    ) { try $0.execute(sql: "INSERT INTO item VALUES (1, NULL, 2)") },
    Case(
      "an error in the middle of a fetch",
      #"SQLite error 1: integer overflow - while executing "SELECT abs(-9223372036854775807 - 1)""#
    ) { _ = try Int.fetchAll($0, sql: "SELECT abs(-9223372036854775807 - 1)") },
  ]

  static let arguments = [
    Case(
      "STM-09: too few",
      #"SQLite error 21: missing statement arguments: number 2 (the statement has 2, 1 given) - while executing "SELECT ?, ?""#
    ) { try $0.execute(sql: "SELECT ?, ?", arguments: [1]) },
    Case(
      "STM-09: too many",
      #"SQLite error 21: too many statement arguments: the statement has 1, 2 given - while executing "SELECT ?""#
    ) { _ = try Row.fetchAll($0, sql: "SELECT ?", arguments: [1, 2]) },
    Case(
      "STM-09: a missing name",
      #"SQLite error 21: missing statement arguments: :b (the statement has 2, 1 given) - while executing "SELECT :a, :b""#
    ) { _ = try Row.fetchAll($0, sql: "SELECT :a, :b", arguments: ["a": 1]) },
    Case(
      "a mistyped name",
      #"SQLite error 21: missing statement arguments: :a (the statement has 1, 1 given) - while executing "SELECT :a""#
    ) { _ = try Row.fetchAll($0, sql: "SELECT :a", arguments: ["A": 1]) },
    Case(
      "arguments, which may be secret, are not in the text",
      #"SQLite error 1299 (SQLITE_CONSTRAINT_NOTNULL): NOT NULL constraint failed: item.name - while executing "INSERT INTO item VALUES (?, ?, ?)""#
    ) { try $0.execute(sql: "INSERT INTO item VALUES (?, ?, ?)", arguments: [1, nil, 2.5]) },
  ]

  static let rows = [
    Case(
      "a missing column",
      #"no column id: the row has name - in rows of "SELECT 'cup' AS name""#
    ) { _ = try Record.fetchAll($0, sql: "SELECT 'cup' AS name") },
    Case("an index that is out of range", #"no column 1: the row has 1 - in rows of "SELECT 1""#) {
      db in
      let cursor = try Row.fetchCursor(db, sql: "SELECT 1")
      _ = try cursor.next()?.decode(Int.self, atIndex: 1)
    },
    Case(
      "ROW-14: an ambiguous column",
      #"several columns are called id: the row has id, ID; give each a name of its own with AS - in rows of "SELECT 1 AS id, 2 AS ID""#
    ) { _ = try Record.fetchAll($0, sql: "SELECT 1 AS id, 2 AS ID") },
    Case(
      "NULL for a type that has none",
      #"column id is NULL, which Int cannot hold: use an optional, or coalesce() in the SQL - in rows of "SELECT NULL AS id""#
    ) { _ = try Record.fetchAll($0, sql: "SELECT NULL AS id") },
    Case(
      "text for a number",
      #"column id holds '12', which is no Int - in rows of "SELECT '12' AS id""#
    ) { _ = try Record.fetchOne($0, sql: "SELECT '12' AS id") },
    Case(
      "an integer that is too large",
      #"column level holds 256, which is no UInt8 - in rows of "SELECT 1 AS id, 256 AS level""#
    ) { _ = try Record.fetchAll($0, sql: "SELECT 1 AS id, 256 AS level") },
    Case(
      "a negative integer for an unsigned one",
      #"column n holds -1, which is no UInt32 - in rows of "SELECT -1 AS n""#
    ) { _ = try UInt32.fetchAll($0, sql: "SELECT -1 AS n") },
    Case(
      "a real that is no integer",
      #"column n holds 1.5, which is no Int - in rows of "SELECT 1.5 AS n""#
    ) { _ = try Int.fetchAll($0, sql: "SELECT 1.5 AS n") },
    Case(
      "a number for text",
      #"column n holds 1, which is no String - in rows of "SELECT 1 AS n""#
    ) { _ = try String.fetchAll($0, sql: "SELECT 1 AS n") },
    Case(
      "no date",
      #"column d holds 'tomorrow', which is no Date - in rows of "SELECT 'tomorrow' AS d""#
    ) { _ = try Date.fetchAll($0, sql: "SELECT 'tomorrow' AS d") },
    Case(
      "an unknown raw value",
      #"column c holds 7, which is no Color - in rows of "SELECT 7 AS c""#
    ) { _ = try Color.fetchAll($0, sql: "SELECT 7 AS c") },
    Case(
      "a text that is not UTF-8",
      #"column t holds x'FF', which is no String - in rows of "SELECT CAST(x'FF' AS TEXT) AS t""#
    ) { _ = try String.fetchAll($0, sql: "SELECT CAST(x'FF' AS TEXT) AS t") },
    Case(
      "a number for JSON",
      """
      cannot decode Array<String> from a row: column tags holds 5, which is not JSON text - in rows \
      of "SELECT 5 AS tags"
      """
    ) { _ = try Tagged.fetchAll($0, sql: "SELECT 5 AS tags") },
    Case(
      "a real number for JSON",
      """
      cannot decode Dictionary<String, Int> from a row: column counts holds 1.5, which is not JSON \
      text - in rows of "SELECT 1.5 AS counts"
      """
    ) { _ = try Counted.fetchAll($0, sql: "SELECT 1.5 AS counts") },
    Case(
      "NULL for JSON",
      """
      column tags is NULL, which Array<String> cannot hold: use an optional, or coalesce() in the \
      SQL - in rows of "SELECT NULL AS tags"
      """
    ) { _ = try Tagged.fetchAll($0, sql: "SELECT NULL AS tags") },
    Case(
      "an adapter for other columns",
      "SQLite error 21: a column mapping requires the column b: the columns are a"
    ) { _ = try Row.fetchAll($0, sql: "SELECT 1 AS a", adapter: ColumnMapping(["x": "b"])) },
  ]

  @Test(arguments: statements + arguments + rows)
  func `an error message names the problem and its place`(tested: Case) throws {
    try withDatabase { db throws in
      expectError(tested.error) { try tested.body(db) }
      // The connection still works.
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM item") == 0)
    }
  }

  @Test func `STM-24, A-029: expandedDescription shows the arguments, and description does not`()
    throws
  {
    try withDatabase { db in
      let insert = {
        try db.execute(sql: "INSERT INTO item VALUES (?, ?, ?)", arguments: [1, nil, 2.5])
      }
      let error = #expect(throws: DatabaseError.self, performing: insert)
      #expect(
        error?.expandedDescription == """
          SQLite error 1299 (SQLITE_CONSTRAINT_NOTNULL): NOT NULL constraint failed: item.name - while executing \
          "INSERT INTO item VALUES (?, ?, ?)" with arguments [1, NULL, 2.5]
          """
      )
      #expect(error?.description.contains("2.5") == false)
      #expect(error?.resultCode == .SQLITE_CONSTRAINT)
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_NOTNULL)
    }
  }

  @Test func `the error of a write through a read says what to use instead`() throws {
    let shop = try Shop()
    let sql = "DELETE FROM item"
    expectError(
      "SQLite error 8: attempt to write through a read-only access: use write instead of read "
        + "- while executing \"\(sql)\""
    ) { try shop.pool.read { db in try db.execute(sql: sql) } }
    #expect(try shop.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM item") } == 2)
  }

  @Test func `a value over the connection's limit is refused, and nothing is inserted`() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, 1000)
    }
    try withDatabase(configuration) { db throws in
      let long = String(repeating: "x", count: 1001)
      let sql = "INSERT INTO item (name) VALUES (?)"
      expectError("SQLite error 18: string or blob too big - while executing \"\(sql)\"") {
        try db.execute(sql: sql, arguments: [long])
      }
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM item") == 0)
    }
  }
}

private struct Tagged: Decodable, FetchableRecord { var tags: [String] }
private struct Counted: Decodable, FetchableRecord { var counts: [String: Int] }
