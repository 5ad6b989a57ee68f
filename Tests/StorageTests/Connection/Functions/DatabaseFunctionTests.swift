import Foundation
import Storage
import Testing

@testable import StorageTestSupport

private let initial = DatabaseFunction("initial", argumentCount: 1, pure: true) { values in
  String.fromDatabaseValue(values[0]).map { String($0.prefix(1)) }
}

@Suite struct DatabaseFunctionTests {
  @Test func `FUN-24, FNC-01, FNC-04, FNC-10: a function is called in requests and in SQL`() throws
  {
    try withPlayers { db in
      db.add(function: initial)
      let request = Player.select({ initial($0.name) }, as: String.self)
      let statement = try request.makePreparedRequest(db).statement
      expectSQL(statement, #"SELECT initial("name") FROM "player""#)
      #expect(try request.fetchSet(db) == ["A", "B", "C"])
      #expect(try Player.filter { initial($0.name) == "B" }.fetchAll(db) == [.barbara])
      #expect(try String.fetchOne(db, sql: "SELECT INITIAL(?)", arguments: ["xyz"]) == "x")
    }
  }

  private static let results: [(any DatabaseValueConvertible & Sendable)?] = [
    nil, 12, 1.5, "", "it's \0 🦉", Data(), Data([0, 255]),
  ]

  @Test(arguments: results.indices)
  func `FNC-06, FNC-07: a function takes and returns values of every storage class`(_ index: Int)
    throws
  {
    try withDatabase { db in
      let value = Self.results[index]?.databaseValue ?? .null
      db.add(function: DatabaseFunction("same") { $0[0] })
      let result = try DatabaseValue.fetchOne(db, sql: "SELECT same(?)", arguments: [value])
      #expect(result ?? .null == value)
      let sql = "SELECT typeof(same(?1)) = typeof(?1)"
      #expect(try Bool.fetchOne(db, sql: sql, arguments: [value]) == true)
    }
  }

  @Test func `a function takes any number of arguments, or its declared number`() throws {
    try withDatabase { db throws in
      db.add(function: DatabaseFunction("arity") { $0.count })
      #expect(try Int.fetchOne(db, sql: "SELECT arity()") == 0)
      #expect(try Int.fetchOne(db, sql: "SELECT arity(1, 2, 3)") == 3)
      // Functions of the same name may differ in their number of arguments.
      db.add(function: DatabaseFunction("arity", argumentCount: 1) { _ in -1 })
      #expect(try Int.fetchOne(db, sql: "SELECT arity(1)") == -1)
      #expect(try Int.fetchOne(db, sql: "SELECT arity(1, 2)") == 2)
      db.add(function: initial)
      expectDatabaseError(.SQLITE_ERROR, "wrong number of arguments to function initial()") {
        try db.execute(sql: "SELECT initial(1, 2)")
      }
    }
  }

  private struct Refusal: Error, CustomStringConvertible {
    var description: String { "not today" }
  }

  @Test func `an error of a function makes the statement fail`() throws {
    try withDatabase { db throws in
      db.add(function: DatabaseFunction("refuse") { _ in throw Refusal() })
      let error = expectDatabaseError(.SQLITE_ERROR, "not today") {
        try db.execute(sql: "SELECT refuse()")
      }
      #expect(error?.sql == "SELECT refuse()")
      db.add(
        function: DatabaseFunction("forbid") { _ in
          throw DatabaseError(resultCode: .SQLITE_CONSTRAINT_CHECK, message: "forbidden")
        }
      )
      expectDatabaseError(.SQLITE_CONSTRAINT_CHECK, "forbidden") {
        try db.execute(sql: "SELECT forbid()")
      }
      // The connection stays usable.
      #expect(try Int.fetchOne(db, sql: "SELECT 1") == 1)
    }
  }

  @Test func `FNC-03: only pure functions can be indexed`() throws {
    try withDatabase { db in
      db.add(function: initial)
      try db.execute(sql: "CREATE INDEX byInitial ON item (initial(name))")
      db.add(function: DatabaseFunction("impure", argumentCount: 1) { $0[0] })
      expectDatabaseError(
        .SQLITE_ERROR,
        "non-deterministic functions prohibited in index expressions"
      ) {
        try db.execute(sql: "CREATE INDEX byOther ON item (impure(name))")
      }
    }
  }

  @Test func `a function can be replaced and removed`() throws {
    try withDatabase { db throws in
      db.add(function: DatabaseFunction("answer", argumentCount: 0) { _ in 41 })
      db.add(function: DatabaseFunction("answer", argumentCount: 0) { _ in 42 })
      #expect(try Int.fetchOne(db, sql: "SELECT answer()") == 42)
      db.remove(function: DatabaseFunction("ANSWER", argumentCount: 0) { _ in nil })
      expectDatabaseError(.SQLITE_ERROR, "no such function: answer") {
        try db.execute(sql: "SELECT answer()")
      }
    }
  }

  @Test func `a preparation adds a function to all connections of a pool`() async throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in db.add(function: initial) }
    let shop = try Shop(configuration)
    let names = try await shop.pool.read { db in
      try String.fetchAll(db, sql: "SELECT DISTINCT initial(name) FROM item ORDER BY 1")
    }
    #expect(names == ["c", "p"])
  }

  @Test func `FNC-02, FNC-05, TYP-14: a typed function keeps its types in requests`() throws {
    let conforms = TypedFunction("conforms") { (name: String, prefix: String) in
      name.hasPrefix(prefix)
    }
    try withPlayers { db in
      db.add(function: conforms)
      let name = TypedColumn<String>("name")
      let condition: TypedExpression<Bool> = conforms(name, "Bar")
      let request = Player.filter(condition)
      let statement = try request.makePreparedRequest(db).statement
      expectSQL(statement, #"SELECT * FROM "player" WHERE conforms("name", 'Bar')"#)
      #expect(try request.fetchAll(db) == [.barbara])
      #expect(try Player.filter(conforms("Barnabas", name)).fetchCount(db) == 0)
      let nulls = try Row.fetchOne(db, sql: "SELECT conforms(NULL, 'a') IS NULL AS absent")
      #expect(nulls?["absent"] == true)
      expectDatabaseError(
        .SQLITE_MISMATCH,
        "argument 2 of conforms cannot be read as String: 12"
      ) {
        try db.execute(sql: "SELECT conforms('a', 12)")
      }
    }
  }

  @Test func `an optional argument of a typed function takes NULL`() throws {
    let shout = TypedFunction("shout", pure: true) { (text: String?, times: Int) -> String? in
      text.map { $0 + String(repeating: "!", count: times) }
    }
    try withPlayers { db in
      db.add(function: shout)
      let email = TypedColumn<String?>("email")
      let texts = try Player.select(shout(email, 2), as: String?.self).order(Column("id")).fetchAll(
        db
      )
      #expect(texts == ["a@x.com!!", nil, "c@x.com!!"])
    }
  }
}
