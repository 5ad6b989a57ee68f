import Foundation
import Storage
import Testing

@testable import StorageTestSupport

@Suite struct StatementArgumentsTests {
  /// Returns the values of the row that a query with arguments returns.
  func values(_ sql: String, _ arguments: StatementArguments) throws -> [Int?] {
    try withDatabase { db in
      let row = try #require(try Row.fetchOne(db, sql: sql, arguments: arguments))
      return try row.databaseValues.indices.map { try row.decode(Int?.self, atIndex: $0) }
    }
  }

  @Test func `values are bound by position`() throws {
    #expect(try values("SELECT ?, ?, ?", [1, nil, 3]) == [1, nil, 3])
    #expect(try values("SELECT ?", StatementArguments([7])) == [7])
    #expect(try values("SELECT ?, ?", StatementArguments([nil, 2])) == [nil, 2])
    #expect(try values("SELECT 5", []) == [5])
  }

  enum Color: Int, DatabaseValueConvertible { case red, white }

  @Test func `STM-08: values of different types are bound together`() throws {
    let date = Date(timeIntervalSince1970: 1.5)
    let arguments: StatementArguments = [1, "a", true, 2.5, date, Color.white, Data([7]), nil]
    let row = try withDatabase { db in
      try Row.fetchOne(db, sql: "SELECT ?, ?, ?, ?, ?, ?, ?, ?", arguments: arguments)
    }
    #expect(
      row?.databaseValues.map(\.description) == [
        "1", "'a'", "1", "2.5", "'1970-01-01 00:00:01.500'", "1", "x'07'", "NULL",
      ]
    )
  }

  @Test func `values are bound by name, whatever the prefix`() throws {
    #expect(try values("SELECT :a, @b, $c", ["a": 1, "b": nil, "c": 3]) == [1, nil, 3])
    #expect(try values("SELECT :a, @a, $a", ["a": 1]) == [1, 1, 1])
    let dictionary = ["b": 2, "a": 1]
    #expect(try values("SELECT :a, :b", StatementArguments(dictionary)) == [1, 2])
  }

  @Test func `names are case-sensitive, like SQLite's parameters`() throws {
    #expect(try values("SELECT :a, :A", ["a": 1, "A": 2]) == [1, 2])
  }

  @Test func `a parameter that occurs twice takes a single value`() throws {
    #expect(try values("SELECT :a, ?, :a", ["a": 1, "b": 2].positional) == [1, 2, 1])
    #expect(try values("SELECT :a, :b, :a", ["a": 1, "b": 2]) == [1, 2, 1])
    #expect(try values("SELECT ?1, ?2, ?1", [1, 2]) == [1, 2, 1])
    #expect(try values("SELECT ?2, ?1", [1, 2]) == [2, 1])
  }

  @Test func `named parameters take values by position too`() throws {
    #expect(try values("SELECT :b, :a, ?", [1, 2, 3]) == [1, 2, 3])
  }

  struct Mistake: Sendable {
    var sql: String
    var arguments: StatementArguments
    var message: String
  }

  static let mistakes = [
    Mistake(
      sql: "SELECT ?, ?",
      arguments: [1],
      message: "missing statement arguments: number 2 (the statement has 2, 1 given)"
    ),
    Mistake(
      sql: "SELECT ?",
      arguments: [],
      message: "missing statement arguments: number 1 (the statement has 1, 0 given)"
    ),
    Mistake(
      sql: "SELECT ?3",
      arguments: [1],
      message: "missing statement arguments: number 2, number 3 (the statement has 3, 1 given)"
    ),
    Mistake(
      sql: "SELECT :a, :b, :c",
      arguments: ["b": 1],
      message: "missing statement arguments: :a, :c (the statement has 3, 1 given)"
    ),
    Mistake(
      sql: "SELECT ?, ?",
      arguments: [1, 2, 3],
      message: "too many statement arguments: the statement has 2, 3 given"
    ),
    Mistake(
      sql: "SELECT 1",
      arguments: [nil],
      message: "too many statement arguments: the statement has 0, 1 given"
    ),
    Mistake(
      sql: "SELECT :a",
      arguments: ["b": 1],
      message: "missing statement arguments: :a (the statement has 1, 1 given)"
    ),
  ]

  @Test(arguments: mistakes)
  func `arguments that do not fit are refused, and nothing runs`(mistake: Mistake) throws {
    try withDatabase { db in
      let fetch = expectDatabaseError(.SQLITE_MISUSE, mistake.message) {
        _ = try Row.fetchAll(db, sql: mistake.sql, arguments: mistake.arguments)
      }
      #expect(fetch?.sql == mistake.sql)
      expectDatabaseError(.SQLITE_MISUSE, mistake.message) {
        try db.execute(sql: mistake.sql, arguments: mistake.arguments)
      }
    }
  }

  @Test func `a write whose arguments do not fit writes nothing`() throws {
    try withDatabase { db in
      let sql = "INSERT INTO item VALUES (?, ?, ?)"
      #expect(throws: DatabaseError.self) { try db.execute(sql: sql, arguments: [1, "cup"]) }
      #expect(throws: DatabaseError.self) { try db.execute(sql: sql, arguments: [1, "cup", 4, 5]) }
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM item") == 0)
      // The statement is in the cache now, and must still work.
      try db.execute(sql: sql, arguments: [1, "cup", 4])
      #expect(try Item.fetchAll(db, sql: "SELECT * FROM item") == [.cup])
    }
  }

  @Test func `new arguments replace all values of the previous run`() throws {
    try withDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT ?")
      #expect(try Int.fetchOne(statement, arguments: [1]) == 1)
      #expect(try Int?.fetchOne(statement, arguments: [nil]) == .some(nil))
      #expect(throws: DatabaseError.self) { try Int.fetchOne(statement, arguments: []) }
    }
  }

  @Test func `a statement keeps its arguments until it gets new ones`() throws {
    try withDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT ?")
      try statement.setArguments([4])
      #expect(try Int.fetchOne(statement) == 4)
      #expect(try Int.fetchOne(statement) == 4)
      #expect(statement.arguments == [4])
    }
  }

  @Test func `the description lists the values as SQL`() {
    #expect(([1, "it's", nil] as StatementArguments).description == "[1, 'it''s', NULL]")
    #expect((["b": 1.5, "a": "x"] as StatementArguments).description == "[a: 'x', b: 1.5]")
    #expect(StatementArguments().description == "[]")
    #expect(StatementArguments().isEmpty)
    #expect(!([nil] as StatementArguments).isEmpty)
  }

  @Test func `a duplicate name in a literal stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let arguments: StatementArguments = ["a": 1, "a": 2]
      print(arguments)
    }
  }
}

extension [String: Int] {
  /// The values in the order of their names, as positional arguments.
  fileprivate var positional: StatementArguments {
    StatementArguments(sorted { $0.key < $1.key }.map(\.value))
  }
}
