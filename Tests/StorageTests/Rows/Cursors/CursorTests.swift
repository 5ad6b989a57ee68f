import Storage
import Testing

@testable import StorageTestSupport

@Suite struct CursorTests {
  static let numbers = "SELECT column1 AS n FROM (VALUES (1), (2), (3))"

  final class Countdown: Cursor {
    var number: Int
    init(from number: Int) { self.number = number }

    func next() throws -> Int? {
      guard number > 0 else { return nil }
      number -= 1
      return number + 1
    }
  }

  @Test func `CUR-01, CUR-06: a cursor yields the elements one by one, then nil forever`() throws {
    try withDatabase { db in
      let cursor = try Int.fetchCursor(db, sql: Self.numbers)
      #expect(try cursor.next() == 1)
      #expect(try cursor.next() == 2)
      #expect(try cursor.next() == 3)
      for _ in 0..<3 { #expect(try cursor.next() == nil) }
      let none = try Row.fetchCursor(db, sql: "SELECT * FROM item")
      for _ in 0..<3 { #expect(try none.next() == nil) }
    }
  }

  @Test func `an array collects the remaining elements of a cursor`() throws {
    try withDatabase { db in
      let cursor = try Int.fetchCursor(db, sql: Self.numbers)
      #expect(try cursor.next() == 1)
      #expect(try Array(cursor) == [2, 3])
      #expect(try Array(cursor) == [])
    }
    #expect(try Array(Countdown(from: 3)) == [3, 2, 1])
  }

  @Test func `forEach visits the remaining rows of a cursor`() throws {
    try withDatabase { db in
      let cursor = try Row.fetchCursor(db, sql: Self.numbers)
      _ = try cursor.next()
      var numbers: [Int] = []
      try cursor.forEach { numbers.append($0["n"]) }
      #expect(numbers == [2, 3])
    }
  }

  @Test func `a database error is thrown at the element where it occurs`() throws {
    try withDatabase { db in
      let sql = "SELECT abs(column1) FROM (VALUES (1), (-9223372036854775807 - 1), (3))"
      let cursor = try Int.fetchCursor(db, sql: sql)
      #expect(try cursor.next() == 1)
      let error = expectDatabaseError(.SQLITE_ERROR, "integer overflow") { _ = try cursor.next() }
      #expect(error?.sql == sql)
      expectDatabaseError(.SQLITE_ERROR, "integer overflow") { _ = try Int.fetchAll(db, sql: sql) }
      // The statement is idle again.
      #expect(try Int.fetchOne(db, sql: sql) == 1)
    }
  }

  @Test func `a cursor can continue after a row that does not fit`() throws {
    try withDatabase { db in
      let sql = "SELECT column1 FROM (VALUES (1), ('two'), (NULL), (4))"
      let cursor = try Int.fetchCursor(db, sql: sql)
      #expect(try cursor.next() == 1)
      #expect(throws: RowDecodingError.self) { try cursor.next() }
      #expect(throws: RowDecodingError.self) { try cursor.next() }
      #expect(try cursor.next() == 4)
      #expect(try cursor.next() == nil)
      #expect(throws: RowDecodingError.self) { try Int.fetchAll(db, sql: sql) }
      #expect(try Int.fetchOne(db, sql: sql) == 1)
    }
  }

  @Test func `the elements of a query can be fetched as an array, as a set, or one`() throws {
    try withDatabase { db throws in
      let sql = "SELECT column1 FROM (VALUES (2), (1), (2))"
      #expect(try Int.fetchAll(db, sql: sql) == [2, 1, 2])
      #expect(try Int.fetchSet(db, sql: sql) == [1, 2])
      #expect(try Int.fetchOne(db, sql: sql) == 2)
      #expect(try Int.fetchOne(db, sql: "SELECT id FROM item") == nil)
      #expect(try Int.fetchAll(db, sql: "SELECT id FROM item") == [])
      #expect(try Int?.fetchAll(db, sql: "SELECT NULL") == [nil])
      #expect(try Int.fetchAll(db, sql: "INSERT INTO item VALUES (1, 'cup', 4)") == [])
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM item") == 1)
    }
  }

  @Test func `rows can be updated while a cursor iterates them`() throws {
    let shop = try Shop()
    try shop.pool.write { db in
      let cursor = try Item.fetchCursor(db, sql: "SELECT * FROM item ORDER BY id")
      while var item = try cursor.next() {
        item.price = (item.price ?? 0) + 1
        try item.update(db)
      }
    }
    let prices = try shop.pool.read { db in
      try Double.fetchAll(db, sql: "SELECT price FROM item ORDER BY id")
    }
    #expect(prices == [5, 1])
  }

  @Test func `CUR-09: a cursor is not a Sequence, because each step can fail`() throws {
    try withDatabase { db in
      let cursors: [Any] = [
        try Row.fetchCursor(db, sql: Self.numbers), try Int.fetchCursor(db, sql: Self.numbers),
        try Int.fetchCursor(db, sql: Self.numbers).map { $0 },
      ]
      for cursor in cursors { #expect(!(cursor is any Sequence)) }
    }
  }

  // MARK: Wrong uses

  private static let usedOutside = """
    a Database, a Statement or a cursor was used outside of the read or write closure that provided \
    it: use it only inside the closure, and return copies of what was fetched, such as arrays
    """

  private static let hasEnded = """
    a cursor was used after the access that created it had ended, or after its statement had been \
    started again: collect its elements in an array, and return the array
    """

  @Test func `CUR-07: a cursor that is used after its access throws`() throws {
    let queue = try DatabaseQueue()
    let cursor = try queue.read { db in
      let cursor = try Int.fetchCursor(db, sql: CursorTests.numbers)
      _ = try cursor.next()
      return cursor
    }
    for _ in 1...2 {
      expectDatabaseError(.SQLITE_MISUSE, Self.hasEnded) { _ = try cursor.next() }
    }
  }

  @Test func `a cursor that is started after its access throws`() throws {
    let queue = try DatabaseQueue()
    let cursor = try queue.read { db in try Row.fetchCursor(db, sql: CursorTests.numbers) }
    for _ in 1...2 {
      expectDatabaseError(.SQLITE_MISUSE, Self.usedOutside) { _ = try cursor.next() }
    }
    try queue.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
  }

  @Test func `a cursor whose statement was restarted throws`() throws {
    try DatabaseQueue().read { db throws in
      let statement = try db.makeStatement(sql: CursorTests.numbers)
      let cursor = try Int.fetchCursor(statement)
      let first = try cursor.next()
      let other = try Int.fetchCursor(statement)
      #expect(try other.next() == first)
      expectDatabaseError(.SQLITE_MISUSE, Self.hasEnded) { _ = try cursor.next() }
      #expect(try other.next() != nil)
    }
  }

  @Test func `a connection and a statement that are used after their access throw`() throws {
    let queue = try DatabaseQueue()
    let (db, statement) = try queue.read { db in (db, try db.makeStatement(sql: "SELECT 1")) }
    expectDatabaseError(.SQLITE_MISUSE, Self.usedOutside) { try db.execute(sql: "SELECT 1") }
    expectDatabaseError(.SQLITE_MISUSE, Self.usedOutside) { try statement.execute() }
    expectDatabaseError(.SQLITE_MISUSE, Self.usedOutside) { _ = try db.tableExists("t") }
  }

  @Test func `what cannot throw stops the program when it is used after its access`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let db = try DatabaseQueue().read { $0 }
      db.clearSchemaCache()
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains(Self.usedOutside))
  }

  @Test func `a negative count throws`() throws {
    expectDatabaseError(
      .SQLITE_MISUSE,
      "the length of a suffix must not be negative, but it is -1"
    ) { _ = try CountingCursor([1]).suffix(-1) }
    expectDatabaseError(
      .SQLITE_MISUSE,
      "the count of dropLast must not be negative, but it is -2"
    ) { _ = try CountingCursor([1]).dropLast(-2) }
  }
}
