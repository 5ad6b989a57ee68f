import CWellspringSQLite
import Foundation
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

@Suite struct ChangesetTests {
  private static let items = "SELECT * FROM item ORDER BY id"

  private func items(_ db: Database) throws -> [Item] { try Item.fetchAll(db, sql: Self.items) }

  private func withItems(_ body: (Database) throws -> Void) throws {
    try withDatabase { db in
      try Item.cup.insert(db)
      try Item.pot.insert(db)
      try body(db)
    }
  }

  // MARK: Recording

  @Test func `a changeset holds one change for each row, with its values`() throws {
    try withItems { db in
      let changeset = try db.recordChangeset {
        try db.execute(sql: "UPDATE item SET price = 5 WHERE id = 1")
        try db.execute(sql: "UPDATE item SET price = 6 WHERE id = 1")
        try db.execute(sql: "DELETE FROM item WHERE id = 2")
        try Item(id: 3, name: "mug", price: 1).insert(db)
      }
      let operations = try changeset.operations().sorted { "\($0.kind)" < "\($1.kind)" }
      #expect(operations.map(\.tableName) == ["item", "item", "item"])
      #expect(operations.map(\.isPrimaryKey) == Array(repeating: [true, false, false], count: 3))
      #expect(operations[0].oldValues.map { "\($0!)" } == ["2", "'pot'", "NULL"])
      #expect(operations[0].newValues == [])
      #expect(operations[1].newValues.map { "\($0!)" } == ["3", "'mug'", "1.0"])
      #expect(operations[2].oldValues.map { $0?.description } == ["1", nil, "4.0"])
      #expect(operations[2].newValues.map { $0?.description } == [nil, nil, "6.0"])
    }
  }

  @Test func `a recording without effective changes is empty`() throws {
    try withItems { db in
      let changeset = try db.recordChangeset {
        try db.execute(sql: "UPDATE item SET price = price")
        try Item(id: 3, name: "mug", price: 1).insert(db)
        try db.execute(sql: "DELETE FROM item WHERE id = 3")
      }
      #expect(changeset.isEmpty)
      #expect(try changeset.operations() == [])
    }
  }

  @Test func `only the given tables are recorded, and a recording that throws is rolled back`()
    throws
  {
    struct Stop: Error {}
    try withItems { db in
      try db.execute(sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, text)")
      let changeset = try db.recordChangeset(tables: ["note"]) {
        try db.execute(sql: "DELETE FROM item WHERE id = 1; INSERT INTO note VALUES (1, 'x')")
      }
      #expect(try changeset.operations().map(\.tableName) == ["note"])
      #expect(throws: Stop.self) {
        _ = try db.recordChangeset {
          try db.execute(sql: "DELETE FROM note")
          throw Stop()
        }
      }
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM note") == 1)
    }
  }

  @Test func `recordings nest`() throws {
    try withItems { db in
      var inner = Changeset()
      let outer = try db.recordChangeset {
        try db.execute(sql: "DELETE FROM item WHERE id = 1")
        inner = try db.recordChangeset { try db.execute(sql: "DELETE FROM item WHERE id = 2") }
      }
      #expect(try inner.operations().count == 1)
      #expect(try outer.operations().count == 2)
    }
  }

  // MARK: Applying

  @Test func `applying a changeset repeats it, and its inverse undoes it`() throws {
    try withItems { db in
      let before = try items(db)
      let first = try db.recordChangeset {
        try db.execute(sql: "DELETE FROM item WHERE id = 2; UPDATE item SET name = 'jug'")
      }
      let second = try db.recordChangeset { try Item(id: 9, name: "new", price: 2).insert(db) }
      let after = try items(db)
      let both = try first.concatenated(with: second)
      try db.apply(changeset: both.inverted())
      #expect(try items(db) == before)
      try db.apply(changeset: Changeset(data: both.data))
      #expect(try items(db) == after)
    }
  }

  @Test func `a conflict aborts the whole application, unless it is resolved`() throws {
    try withItems { db in
      let changeset = try db.recordChangeset {
        try db.execute(sql: "UPDATE item SET price = 8 WHERE id = 1")
        try Item(id: 3, name: "mug", price: 1).insert(db)
      }
      try db.execute(sql: "UPDATE item SET price = 9 WHERE id = 1; DELETE FROM item WHERE id = 3")
      let before = try items(db)
      expectDatabaseError(
        .SQLITE_ABORT,
        "the changeset cannot be applied: the row to change has other values in the table item"
      ) { try db.apply(changeset: changeset) }
      #expect(try items(db) == before)

      var reasons: [ChangesetConflict.Reason] = []
      try db.apply(changeset: changeset) { conflict in
        reasons.append(conflict.reason)
        #expect(conflict.currentValues.map { "\($0!)" } == ["1", "'cup'", "9.0"])
        return .omit
      }
      #expect(reasons == [.data])
      #expect(try items(db).map(\.price) == [9, nil, 1])
      try db.execute(sql: "DELETE FROM item WHERE id = 3")
      try db.apply(changeset: changeset) { _ in .replace }
      #expect(try items(db).map(\.price) == [8, nil, 1])

      struct Stop: Error {}
      #expect(throws: Stop.self) {
        try db.apply(changeset: changeset) { _ in throw Stop() }
      }
    }
  }

  @Test func `data that is not a changeset is refused`() throws {
    let changeset = Changeset(data: Data("nonsense".utf8))
    let corrupt = { (error: any Error) in (error as? DatabaseError)?.resultCode == .SQLITE_CORRUPT }
    #expect { try changeset.operations() } throws: { corrupt($0) }
    #expect { try changeset.inverted() } throws: { corrupt($0) }
    try withItems { db in
      #expect { try db.apply(changeset: changeset) } throws: { corrupt($0) }
    }
  }

  // MARK: Observations

  @Test func `P1: writes are observed while a changeset is recorded, and after the recording`()
    async throws
  {
    let shop = try Shop()
    try await shop.pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE part (id INTEGER PRIMARY KEY, item REFERENCES item ON DELETE CASCADE);
          INSERT INTO part VALUES (1, 1), (2, 2);
          CREATE TABLE note (text)
          """
      )
    }
    let counts = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM part") ?? -1
    }
    let (recorder, cancellable) = counts.record(in: shop.pool)
    #expect(try await recorder.nextValue() == 2)
    let changeset = try await shop.pool.write { db in
      try db.recordChangeset { try db.execute(sql: "DELETE FROM item WHERE id = 1") }
    }
    #expect(try await recorder.nextValue() == 1)
    // The preupdate hook is installed again, so that rows of other tables re-run nothing.
    let refetches = shop.pool.observationStatistics.runs
    try await shop.pool.write { db in try db.execute(sql: "INSERT INTO note VALUES ('x')") }
    try await shop.pool.write { db in
      _ = try db.recordChangeset { try db.execute(sql: "INSERT INTO note VALUES ('y')") }
    }
    try await shop.pool.write { db in try db.execute(sql: "DELETE FROM part") }
    #expect(try await recorder.nextValue() == 0)
    #expect(shop.pool.observationStatistics.runs == refetches + 1)

    // Applying a changeset is observed too.
    try await shop.pool.write { db in try db.apply(changeset: changeset.inverted()) }
    #expect(try await recorder.nextValue() == 1)
    cancellable.cancel()
  }

  @Test(arguments: ["main", "aux"])
  func `P1: an incremental blob write is observed while a changeset is recorded`(
    schema: String
  ) async throws {
    let directory = TemporaryDirectory()
    var configuration = Configuration()
    let auxiliary = directory.file("aux.sqlite")
    configuration.prepareDatabase { db in try db.execute(sql: "ATTACH '\(auxiliary)' AS aux") }
    let pool = try DatabasePool(path: directory.file(), configuration: configuration)
    try await pool.write { db in
      try db.execute(sql: "CREATE TABLE \(schema).data (b); INSERT INTO data VALUES (x'0000')")
    }
    let (recorder, cancellable) = ValueObservation.tracking { db in
      try Data.fetchOne(db, sql: "SELECT b FROM data")
    }.record(in: pool)
    #expect(try await recorder.nextValue() == Data([0, 0]))
    let kind = ChangeKind(
      name: "",
      query: "",
      change: .blob(schema: schema, table: "data", column: "b", row: 1)
    )
    try await pool.write { db in _ = try db.recordChangeset { try kind.apply(db) } }
    #expect(try await recorder.nextValue() == Data([65, 0]))
    cancellable.cancel()
  }

  @Test func `P4: a recorded statement without effect re-runs no query`() async throws {
    let shop = try Shop()
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    _ = try await recorder.nextValue()
    try await shop.pool.write { db in
      try db.execute(sql: "CREATE TABLE note (text)")
    }
    try await shop.pool.quiesce()
    let refetches = shop.pool.observationStatistics.runs
    try await shop.pool.write { db in
      _ = try db.recordChangeset {
        try db.execute(sql: "DELETE FROM item WHERE id = 77; INSERT INTO note VALUES ('x')")
      }
    }
    try await shop.pool.quiesce()
    #expect(shop.pool.observationStatistics.runs == refetches)
    cancellable.cancel()
  }

  @Test func `P1: writes of the raw handle are observed while a changeset is recorded`()
    async throws
  {
    let shop = try Shop()
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    _ = try await recorder.nextValue()
    try await shop.pool.write { db in
      _ = try db.recordChangeset {
        let code = sqlite3_exec(
          db.sqliteConnection,
          "DELETE FROM item WHERE id = 1",
          nil,
          nil,
          nil
        )
        #expect(code == SQLITE_OK)
      }
    }
    #expect(try await recorder.nextValue() == [.pot])
    cancellable.cancel()
  }
}
