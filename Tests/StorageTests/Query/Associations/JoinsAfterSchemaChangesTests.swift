import Foundation
import Storage
import Testing
import TestSupport
import WellspringSystem

@testable import StorageTestSupport

/// Rows of joins are split by the numbers of columns that the tables have now, also in statements
/// that were compiled before a table got another column.
@Suite struct JoinsAfterSchemaChangesTests {
  private struct Customer: DatabaseRecord {
    static let tickets = hasMany(Ticket.self)
    var id: Int64
    var name: String
  }

  private struct Ticket: DatabaseRecord {
    static let customer = belongsTo(Customer.self)
    static let notes = hasMany(Note.self)
    var id: Int64
    var customerId: Int64?
  }

  private struct Note: DatabaseRecord {
    var id: Int64
    var ticketId: Int64
    var text: String
  }

  private static let schema = """
    CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE ticket (id INTEGER PRIMARY KEY, customerId INTEGER REFERENCES customer (id));
    CREATE TABLE note (id INTEGER PRIMARY KEY, ticketId INTEGER REFERENCES ticket (id), text TEXT);
    INSERT INTO customer VALUES (1, 'Acme'), (2, 'Bolt');
    INSERT INTO ticket VALUES (5, 1), (6, 2), (7, NULL);
    INSERT INTO note VALUES (1, 5, 'a'), (2, 5, 'b'), (3, 6, 'c');
    """

  private static let requests: [(name: String, request: QueryInterfaceRequest<Row>)] = [
    ("required", Ticket.including(required: Ticket.customer).asRequest(of: Row.self)),
    ("optional", Ticket.including(optional: Ticket.customer).asRequest(of: Row.self)),
    ("all", Customer.including(all: Customer.tickets).asRequest(of: Row.self)),
    (
      "all of all",
      Customer.including(all: Customer.tickets.including(all: Ticket.notes)).asRequest(of: Row.self)
    ),
    (
      "required and all",
      Ticket.including(required: Ticket.customer).including(all: Ticket.notes)
        .asRequest(of: Row.self)
    ),
    (
      "limit",
      Customer.including(all: Customer.tickets.order(\.id).limit(1)).asRequest(of: Row.self)
    ),
    (
      "annotated",
      Ticket.annotated(withRequired: Ticket.customer.select { [$0.name.forKey("customerName")] })
        .including(required: Ticket.customer).asRequest(of: Row.self)
    ),
    (
      "count",
      Customer.annotated(with: Customer.tickets.count).including(all: Customer.tickets)
        .asRequest(of: Row.self)
    ),
  ]

  private static let changes = [
    "ALTER TABLE ticket ADD COLUMN name TEXT DEFAULT 'WRONG'",
    "ALTER TABLE customer ADD COLUMN more TEXT DEFAULT 'WRONG'",
    "ALTER TABLE note ADD COLUMN more TEXT DEFAULT 'WRONG'",
    "ALTER TABLE note DROP COLUMN text",
    """
    DROP TABLE customer; CREATE TABLE customer (name TEXT, id INTEGER PRIMARY KEY, a DEFAULT 'x');
    INSERT INTO customer (name, id) VALUES ('Acme', 1), ('Bolt', 2)
    """,
  ]

  /// The rows of all requests, with their scopes and prefetched rows.
  private func rows(_ db: Database) throws -> [String] {
    let join = Ticket.all().join(Customer.self) { ticket, customer in
      ticket.customerId == customer.id
    }
    return try (Self.requests + [("join", join.asRequest(of: Row.self))]).map { name, request in
      "\(name): \(try request.fetchAll(db).map(\.debugDescription))"
    }
  }

  private func expectFresh(_ rows: [String], _ path: String, after change: String) throws {
    let fresh = try DatabaseQueue(path: path)
    defer { try? fresh.close() }
    for (row, other) in zip(rows, try fresh.read(self.rows)) {
      #expect(row == other, "after \(change)")
    }
  }

  @Test(arguments: changes)
  func `after a change by the same connection`(change: String) throws {
    let directory = TemporaryDirectory()
    let queue = try DatabaseQueue(path: directory.file())
    let found = try queue.write { db in
      try db.execute(sql: Self.schema)
      _ = try rows(db)
      try db.execute(sql: "PRAGMA defer_foreign_keys = ON; " + change)
      return try rows(db)
    }
    try expectFresh(found, directory.file(), after: change)
    try expectFresh(try queue.read(rows), directory.file(), after: change)
  }

  @Test(arguments: changes)
  func `after a change that is undone`(change: String) throws {
    let directory = TemporaryDirectory()
    let queue = try DatabaseQueue(path: directory.file())
    try queue.write { db in
      try db.execute(sql: Self.schema)
      try db.inSavepoint {
        try db.execute(sql: "PRAGMA defer_foreign_keys = ON; " + change)
        _ = try rows(db)
        return .rollback
      }
    }
    try expectFresh(try queue.read(rows), directory.file(), after: change)
  }

  @Test(arguments: changes)
  func `after a change by another connection, in reads and in writes`(change: String) throws {
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file())
    try pool.write { db in
      try db.execute(sql: Self.schema)
      _ = try rows(db)
    }
    _ = try pool.read(rows)
    let other = try DatabaseQueue(path: directory.file())
    try other.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF; BEGIN; \(change); COMMIT")
    }
    try expectFresh(try pool.read(rows), directory.file(), after: change)
    try expectFresh(try pool.write(rows), directory.file(), after: change)
  }

  @Test(arguments: changes)
  func `in attached databases`(change: String) throws {
    let directory = TemporaryDirectory()
    let queue = try DatabaseQueue()
    try DatabaseQueue(path: directory.file()).write { try $0.execute(sql: Self.schema) }
    try queue.inDatabase { try $0.attach(.file(directory.file()), as: "other") }
    _ = try queue.read(rows)
    try DatabaseQueue(path: directory.file()).writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF; BEGIN; \(change); COMMIT")
    }
    try expectFresh(try queue.read(rows), directory.file(), after: change)
  }

  @Test(arguments: changes)
  func `of another file with the same number under the same name`(change: String) throws {
    let directory = TemporaryDirectory()
    let numbers = try ["a", "b"].map { name in
      try DatabaseQueue(path: directory.file(name)).writeWithoutTransaction { db in
        try db.execute(sql: Self.schema + "PRAGMA foreign_keys = OFF;")
        if name == "b" { try db.execute(sql: change) }
        try db.execute(sql: "PRAGMA schema_version = 100")
        return try Int.fetchOne(db, sql: "PRAGMA schema_version")
      }
    }
    #expect(numbers == [100, 100])
    let queue = try DatabaseQueue()
    try queue.inDatabase { try $0.attach(.file(directory.file("a")), as: "other") }
    _ = try queue.read(rows)
    try queue.inDatabase { db in
      try db.detach("other")
      try db.attach(.file(directory.file("b")), as: "other")
    }
    try expectFresh(try queue.read(rows), directory.file("b"), after: change)
  }

  @Test(arguments: changes)
  func `observed`(change: String) async throws {
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file())
    try await pool.write { db in try db.execute(sql: Self.schema) }
    let last = Lock<[String]>([])
    let cancellable = ValueObservation.tracking { db in try rows(db) }.start(
      in: pool,
      scheduling: .immediate,
      onError: { Issue.record($0) },
      onChange: { rows in last.withLock { $0 = rows } }
    )
    defer { cancellable.cancel() }
    try await pool.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF; BEGIN; \(change); COMMIT")
    }
    try await pool.quiesce()
    try expectFresh(last.withLock { $0 }, directory.file(), after: change)
  }
}
