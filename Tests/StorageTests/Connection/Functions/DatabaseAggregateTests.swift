import Storage
import Testing

@testable import StorageTestSupport

private struct MaxLength: DatabaseAggregate {
  private var maximum: Int?

  mutating func step(_ values: [DatabaseValue]) throws {
    guard let text = String.fromDatabaseValue(values[0]) else { return }
    if text == "!" { throw Refusal() }
    maximum = max(maximum ?? 0, text.count)
  }

  func finalize() throws -> (any DatabaseValueConvertible)? {
    if maximum == 10 { throw Refusal() }
    return maximum
  }
}

private struct Refusal: Error, CustomStringConvertible {
  var description: String { "not today" }
}

private struct Total: DatabaseWindowAggregate {
  private var total = 0

  mutating func step(_ values: [DatabaseValue]) { total += Int.fromDatabaseValue(values[0]) ?? 0 }

  mutating func remove(_ values: [DatabaseValue]) throws {
    let value = Int.fromDatabaseValue(values[0]) ?? 0
    if value == 13 { throw Refusal() }
    total -= value
  }

  func finalize() -> (any DatabaseValueConvertible)? { total }
}

private let maxLength = DatabaseFunction("maxLength", argumentCount: 1, aggregate: MaxLength.self)
private let total = DatabaseFunction("total2", argumentCount: 1, pure: true, aggregate: Total.self)

@Suite struct DatabaseAggregateTests {
  @Test func `FNC-09: an aggregate is computed for each group of rows`() throws {
    try withPlayers { db in
      db.add(function: maxLength)
      let request = Player.select({ maxLength($0.name) }, as: Int.self)
      let statement = try request.makePreparedRequest(db).statement
      expectSQL(statement, #"SELECT maxLength("name") FROM "player""#)
      let names = try Player.fetchAll(db).map(\.name.count)
      #expect(try request.fetchOne(db) == names.max())
    }
    try withDatabase { db throws in
      db.add(function: maxLength)
      let sql = """
        WITH word (kind, text) AS (VALUES (1, 'a'), (1, 'abc'), (2, NULL), (3, ''), (1, 'ab'))
        SELECT maxLength(text) FROM word GROUP BY kind ORDER BY kind
        """
      #expect(try Int?.fetchAll(db, sql: sql) == [3, nil, 0])
    }
  }

  @Test func `an aggregate over no rows returns the value of a new aggregate`() throws {
    try withDatabase { db throws in
      db.add(function: maxLength)
      db.add(function: total)
      #expect(try Int?.fetchAll(db, sql: "SELECT maxLength(name) FROM item") == [nil])
      #expect(try Int?.fetchAll(db, sql: "SELECT total2(name) FROM item") == [0])
    }
  }

  @Test func `aggregates of one statement have separate states`() throws {
    try withDatabase { db throws in
      db.add(function: maxLength)
      let sql = """
        WITH word (a, b) AS (VALUES ('x', 'xxxx'), ('xx', 'y'))
        SELECT maxLength(a), maxLength(b), maxLength(DISTINCT a) FROM word
        """
      let row = try #require(try Row.fetchOne(db, sql: sql))
      let lengths: [Int] = [row[0], row[1], row[2]]
      #expect(lengths == [2, 4, 2])
    }
  }

  @Test(arguments: ["VALUES ('a'), ('!'), ('b')", "VALUES ('1234567890')"]
  )
  func `an error of an aggregate makes the statement fail`(_ values: String) throws {
    try withDatabase { db throws in
      db.add(function: maxLength)
      expectDatabaseError(.SQLITE_ERROR, "not today") {
        _ = try Int.fetchOne(db, sql: "WITH w (t) AS (\(values)) SELECT maxLength(t) FROM w")
      }
      // The next run starts with a new aggregate.
      #expect(
        try Int.fetchOne(db, sql: "WITH w (t) AS (VALUES ('ab')) SELECT maxLength(t) FROM w") == 2
      )
    }
  }

  @Test func `a window function removes rows that leave the window`() throws {
    try withDatabase { db throws in
      db.add(function: total)
      let sql = """
        WITH number (n) AS (VALUES (1), (2), (3), (4), (5))
        SELECT total2(n) OVER (ORDER BY n ROWS 1 PRECEDING) FROM number
        """
      #expect(try Int.fetchAll(db, sql: sql) == [1, 3, 5, 7, 9])
      expectDatabaseError(.SQLITE_ERROR, "not today") {
        _ = try Int.fetchAll(
          db,
          sql: """
            WITH number (n) AS (VALUES (1), (13), (14), (15))
            SELECT total2(n) OVER (ORDER BY n ROWS 1 PRECEDING) FROM number
            """
        )
      }
      // The same function is also an aggregate.
      #expect(try Int.fetchOne(db, sql: "SELECT total2(column1) FROM (VALUES (1), (2))") == 3)
    }
  }

  @Test func `an aggregate that cannot remove rows is no window function`() throws {
    try withDatabase { db throws in
      db.add(function: maxLength)
      expectDatabaseError(.SQLITE_ERROR, "maxLength() may not be used as a window function") {
        try db.execute(sql: "SELECT maxLength(name) OVER () FROM item")
      }
    }
  }
}
