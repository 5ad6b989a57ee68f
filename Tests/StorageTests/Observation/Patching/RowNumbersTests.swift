import CWellspringSQLite
import Testing

@testable import Storage
@testable import StorageTestSupport

@Suite("The numbers of rows") struct RowNumbersTests {
  private static let schema = """
    CREATE TABLE a (id INTEGER PRIMARY KEY, x);
    CREATE TABLE k (code TEXT COLLATE NOCASE, n INTEGER, x, PRIMARY KEY (code, n)) WITHOUT ROWID;
    INSERT INTO a VALUES (5, 'five'), (7, 'seven');
    INSERT INTO k VALUES ('B', 1, 'b1'), ('a', 2, 'a2'), ('b', 3, 'b3');
    """

  /// Numbers the rows of a table, and passes on a function that looks up rows by their numbers.
  private func withNumbers(
    of table: String,
    _ body: (
      _ numbers: RowNumbers, _ found: [Int64: String],
      _ lookUp: ([Int64]) throws -> [Int64: String],
      Database
    ) throws -> Void
  ) throws {
    try withDatabase { db throws in
      try db.execute(sql: Self.schema)
      let plan = try PatchAnalysis.plan(for: db.makeStatement(sql: "SELECT x FROM \(table)"))
      var found: [Int64: String] = [:]
      let numbers = try RowNumbers.number(plan.wholeSQL, plan.source, [], db) { statement, number in
        found[number] = String(cString: sqlite3_column_text(statement.sqliteStatement, 0))
      }
      try body(
        numbers,
        found,
        { wanted in
          var rows: [Int64: String] = [:]
          try numbers.lookUp(wanted, plan.changedSQL(count: 3), size: 3, [], db) {
            rows[$1] = String(cString: sqlite3_column_text($0.sqliteStatement, 0))
          }
          return rows
        },
        db
      )
    }
  }

  private func key(_ code: String, _ n: Int64) -> RowKey {
    var bytes: [UInt8] = []
    bytes.appendKey(code, .noCase)
    bytes.appendKey(n)
    return RowKey(bytes: bytes)
  }

  @Test func `row ids are numbers`() throws {
    try withNumbers(of: "a") { numbers, found, lookUp, db throws in
      #expect(found == [5: "five", 7: "seven"])
      #expect(!numbers.areSmall)
      #expect(numbers.memory == 0)
      #expect(numbers.numbers(of: .rowIDs([7, 9])) == [7, 9])
      #expect(numbers.numbers(of: .keys([key("a", 2)])) == nil)
      #expect(try lookUp([7, 9]) == [7: "seven"])
      #expect(try numbers.rows("SELECT id FROM a WHERE id > 5", [], db) == .rowIDs([7]))
    }
  }

  @Test func `keys have numbers, and other keys get the next ones`() throws {
    try withNumbers(of: "k") { numbers, found, lookUp, db throws in
      #expect(found == [0: "a2", 1: "b1", 2: "b3"])
      #expect(numbers.areSmall)
      #expect(numbers.numbers(of: .rowIDs([1])) == nil)
      #expect(numbers.numbers(of: .rowIDs([])) == [])
      // Equal for the collation.
      #expect(numbers.numbers(of: .keys([key("b", 1)])) == [1])
      #expect(numbers.numbers(of: .keys([key("c", 9)])) == [3])
      #expect(try lookUp([2, 3]) == [2: "b3"])
      try db.execute(sql: "INSERT INTO k VALUES ('C', 9, 'new')")
      #expect(try lookUp([2, 3]) == [2: "b3", 3: "new"])
      let rows = try numbers.rows("SELECT code, n FROM k WHERE x = 'a2'", [], db)
      #expect(rows == .keys([key("A", 2)]))
      // The numbers of some keys are their places among these.
      let few = numbers.selecting([3, 0])
      #expect(few.numbers(of: .keys([key("c", 9)])) == [0])
      #expect(few.numbers(of: .keys([key("a", 2)])) == [1])
    }
  }
}
