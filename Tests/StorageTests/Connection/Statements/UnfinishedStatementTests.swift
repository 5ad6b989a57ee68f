import Storage
import Testing

@testable import StorageTestSupport

/// Statements that write, and are reset before they have run to their end.
@Suite struct UnfinishedStatementTests {
  private static let schema = """
    CREATE TABLE parent (id INTEGER PRIMARY KEY);
    CREATE TABLE child (
      id INTEGER PRIMARY KEY, parentID INTEGER NOT NULL REFERENCES parent(id)
    )
    """
  private static let insert = "INSERT INTO child (parentID) VALUES (7) RETURNING id"

  private func queue() throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { db in try db.execute(sql: Self.schema) }
    return queue
  }

  private func count(_ queue: DatabaseQueue) throws -> Int? {
    try queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM child") }
  }

  @Test func `fetchOne of a row that violates a foreign key throws`() throws {
    let queue = try queue()
    _ = try queue.write { db in
      expectDatabaseError(.SQLITE_CONSTRAINT_FOREIGNKEY, "FOREIGN KEY constraint failed") {
        _ = try Int.fetchOne(db, sql: Self.insert)
      }
    }
    _ = try queue.writeWithoutTransaction { db in
      expectDatabaseError(.SQLITE_CONSTRAINT_FOREIGNKEY, "FOREIGN KEY constraint failed") {
        _ = try Int.fetchOne(db, sql: Self.insert)
      }
    }
    #expect(try count(queue) == 0)
  }

  @Test func `a transaction with a cursor whose statement fails in the end is rolled back`() throws
  {
    let queue = try queue()
    expectDatabaseError(.SQLITE_CONSTRAINT_FOREIGNKEY, "FOREIGN KEY constraint failed") {
      try queue.write { db in
        try db.execute(sql: "INSERT INTO parent VALUES (1)")
        #expect(try Int.fetchCursor(db, sql: Self.insert).next() == 1)
      }
    }
    #expect(try queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM parent") } == 0)
    #expect(try count(queue) == 0)
    try queue.write { db in try db.execute(sql: "INSERT INTO parent VALUES (7)") }
    try queue.write { db in _ = try Int.fetchCursor(db, sql: Self.insert).next() }
    #expect(try count(queue) == 1)
  }

  @Test func `an access with a cursor whose statement fails in the end throws`() throws {
    let queue = try queue()
    expectDatabaseError(.SQLITE_CONSTRAINT_FOREIGNKEY, "FOREIGN KEY constraint failed") {
      try queue.writeWithoutTransaction { db in
        _ = try Int.fetchCursor(db, sql: Self.insert).next()
      }
    }
    #expect(try count(queue) == 0)
  }

  @Test func `fetchOne runs a statement that writes to its end`() throws {
    let queue = try queue()
    try queue.write { db throws in
      let sql = "INSERT INTO parent VALUES (1), (2), (3) RETURNING id"
      #expect(try Int.fetchOne(db, sql: sql) == 1)
      #expect(try Int.fetchAll(db, sql: "SELECT id FROM parent") == [1, 2, 3])
    }
  }
}
