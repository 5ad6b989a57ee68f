import Foundation
import Testing

@testable import Storage
@testable import StorageTestSupport

/// Literals of one type, of several types and with `nil` use different overloads of `execute`.
@Suite struct PositionalArgumentsTests {
  let int = 1
  let long: Int64 = 2
  let small: UInt8 = 3
  let real = 1.5
  let text = "cup"
  let noText: String? = nil
  let someInt: Int? = 4

  /// Checks the values that an insertion stores, once with a newly compiled statement and once with
  /// the cached one.
  func expectStored(
    _ expected: String,
    sourceLocation: SourceLocation = #_sourceLocation,
    insert: (Database, String) throws -> Void
  ) throws {
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE t (a, b, c)")
      for _ in 0..<2 {
        try insert(db, "INSERT INTO t VALUES (?, ?, ?)")
        let stored = try String.fetchOne(
          db,
          sql: "SELECT quote(a) || ' ' || quote(b) || ' ' || quote(c) FROM t"
        )
        #expect(stored == expected, sourceLocation: sourceLocation)
        try db.execute(sql: "DELETE FROM t")
      }
    }
  }

  @Test func `an integer stays an integer beside values of other types`() throws {
    try expectStored("1 2 3") { try $0.execute(sql: $1, arguments: [1, 2, 3]) }
    try expectStored("1 2.5 3") { try $0.execute(sql: $1, arguments: [1, 2.5, 3]) }
    try expectStored("1 1.5 7") { try $0.execute(sql: $1, arguments: [int, real, 7]) }
    try expectStored("300 3 2") { try $0.execute(sql: $1, arguments: [300, small, long]) }
    try expectStored("1 1 1") { try $0.execute(sql: $1, arguments: [int, int, int]) }
  }

  @Test func `literals may mix types, optional variables and nil`() throws {
    try expectStored("1 'cup' 'x'") { try $0.execute(sql: $1, arguments: [int, text, "x"]) }
    try expectStored("1 NULL 4") { try $0.execute(sql: $1, arguments: [int, noText, someInt]) }
    try expectStored("1 NULL 2") { try $0.execute(sql: $1, arguments: [int, nil, long]) }
    try expectStored("1 'cup' NULL") { try $0.execute(sql: $1, arguments: [1, "cup", nil]) }
    try expectStored("1 NULL 2.5") { try $0.execute(sql: $1, arguments: [1, nil, 2.5]) }
    try expectStored("NULL NULL NULL") { try $0.execute(sql: $1, arguments: [nil, nil, nil]) }
    try expectStored("X'FF' 1 'x'") {
      try $0.execute(sql: $1, arguments: [Data([0xFF]), true, "x".databaseValue])
    }
  }

  @Test func `literals may hold optional variables only`() throws {
    let number: Int? = nil
    let date: Date? = nil
    let data: Data? = Data([0xFF])
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE t (a, b)")
      for _ in 0..<2 {
        try db.execute(sql: "INSERT INTO t (a) VALUES (?)", arguments: [noText])
        try db.execute(sql: "INSERT INTO t (a) VALUES (?)", arguments: [someInt])
        try db.execute(sql: "INSERT INTO t VALUES (?, ?)", arguments: [number, number])
        try db.execute(sql: "INSERT INTO t VALUES (?, ?)", arguments: [date, data])
        try db.execute(
          sql: "INSERT INTO t VALUES (:a, :b)",
          arguments: ["a": noText, "b": someInt]
        )
      }
      let insert = try db.makeStatement(sql: "INSERT INTO t VALUES (?, ?)")
      try insert.execute(arguments: [noText, someInt])
      try insert.execute(arguments: [noText, noText])
      let stored = try String.fetchAll(db, sql: "SELECT quote(a) || ' ' || quote(b) FROM t")
      let row = ["NULL NULL", "4 NULL", "NULL NULL", "NULL X'FF'", "NULL 4"]
      #expect(stored == row + row + ["NULL 4", "NULL NULL"])
    }
  }

  @Test func `arguments can be made of optional variables`() throws {
    let optional: any DatabaseValueConvertible = 1
    let dictionary: [String: Int?] = ["a": nil]
    #expect(StatementArguments([noText]) == [nil])
    #expect(StatementArguments([optional, noText]) == [1, nil])
    #expect(StatementArguments(["a": noText, "b": someInt]) == ["a": nil, "b": 4])
    #expect(StatementArguments(dictionary) == ["a": nil])
    #expect(StatementArguments(zip(["a", "b"], [1, 2])) == ["a": 1, "b": 2])
  }

  @Test func `arrays can be arguments`() throws {
    let integers = [1, 2, 3]
    try expectStored("1 2 3") { try $0.execute(sql: $1, arguments: integers) }
    let values: [any DatabaseValueConvertible] = [1, "x", 2.5]
    try expectStored("1 'x' 2.5") {
      try $0.execute(sql: $1, arguments: PositionalArguments(values))
    }
    try expectStored("1 'x' 2.5") { try $0.execute(sql: $1, arguments: StatementArguments(values)) }
  }

  @Test func `a statement returns its arguments, in whatever form they were given`() throws {
    try withDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT ?, ?")
      try statement.execute(arguments: [1, 2])
      #expect(statement.arguments == [1, 2])
      #expect(statement.boundValues[1] == 2.databaseValue)
      try statement.execute(arguments: [1, "x"])
      #expect(statement.arguments == [1, "x"])
      try statement.execute(arguments: [nil, "x"])
      #expect(statement.arguments == [nil, "x"])
      try statement.execute()
      #expect(statement.arguments == [nil, "x"])
    }
  }

  @Test func `a wrong number of arguments is an error and keeps the previous arguments`() throws {
    try withDatabase { db throws in
      let statement = try db.makeStatement(sql: "SELECT ? + ?")
      try statement.setArguments([1, 2])
      let tooFew = """
        SQLite error 21: missing statement arguments: number 2 (the statement has 2, 1 given) - while \
        executing "SELECT ? + ?"
        """
      expectError(tooFew) { try statement.execute(arguments: [int]) }
      expectError(tooFew) { try statement.execute(arguments: [text]) }
      expectError(tooFew) { try statement.execute(arguments: [nil]) }
      #expect(try Int.fetchOne(statement) == 3)
      #expect(throws: DatabaseError.self) { try statement.execute(arguments: [1, 2, 3]) }
      #expect(throws: DatabaseError.self) { try statement.execute(arguments: [1, 2, "x"]) }
      #expect(throws: DatabaseError.self) { try statement.execute(arguments: [1, nil, "x"]) }
      #expect(try Int.fetchOne(statement) == 3)
    }
  }

  @Test func `named parameters take positional values from left to right`() throws {
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE t (a, b)")
      try db.execute(sql: "INSERT INTO t VALUES (:b, :a)", arguments: [1, 2])
      try db.execute(sql: "INSERT INTO t VALUES (:b, :a)", arguments: ["x", 2])
      try db.execute(sql: "INSERT INTO t VALUES (:b, :a)", arguments: ["a": 1, "b": "y"])
      let stored = try String.fetchAll(db, sql: "SELECT a || b FROM t ORDER BY rowid")
      #expect(stored == ["12", "x2", "y1"])
    }
  }
}
