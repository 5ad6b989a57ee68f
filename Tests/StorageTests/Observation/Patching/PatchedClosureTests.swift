import CWellspringSQLite
import Foundation
import TestSupport
import Testing
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

/// The fetches of an observed closure are patched, each for itself.
@Suite("Patched closures") struct PatchedClosureTests {
  private struct Item: Codable, Equatable, FetchableRecord, PersistableRecord {
    var id: Int64
    var name: String
    var price: Double?
  }

  private let directory = TemporaryDirectory()

  private func pool(threshold: UInt64 = 0) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.patchingThreshold = threshold
    let pool = try DatabasePool(path: directory.file(), configuration: configuration)
    try pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL);
          CREATE TABLE other (id INTEGER PRIMARY KEY, n INTEGER);
          CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT);
          WITH n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 40)
          INSERT INTO item SELECT n, 'i' || n, n % 7 FROM n;
          INSERT INTO other SELECT id, id FROM item;
          INSERT INTO team SELECT id, name FROM item WHERE id < 9;
          """
      )
    }
    return pool
  }

  private static let changes = [
    "UPDATE item SET price = 3.5 WHERE id = 5", "DELETE FROM item WHERE id IN (1, 2)",
    "INSERT INTO item VALUES (50, 'new', 1)", "UPDATE other SET n = 3 WHERE id = 4",
    "UPDATE item SET id = 60 WHERE id = 6; DELETE FROM other WHERE id > 30",
    "UPDATE team SET name = 'x' WHERE id = 2", "UPDATE item SET name = name || '!' WHERE id < 9",
    "DELETE FROM other WHERE id = 10; UPDATE item SET price = NULL WHERE id = 11",
  ]

  /// Closures that fetch.
  static let closures: [@Sendable (Database) throws -> [String]] = [
    { db in try Item.order(Column("price").desc).fetchAll(db).map { "\($0)" } },
    { db in try Item.filter(Column("price") > 2).limit(4).fetchAll(db).map { "\($0)" } },
    { db in ["\(try Item.order(Column("name")).fetchOne(db) as Item?)"] },
    { db in ["\(try Item.filter(Column("price") > 2).fetchCount(db))"] },
    { db in try Row.fetchAll(db, sql: "SELECT * FROM item ORDER BY price").map { "\($0)" } },
    { db in try String?.fetchAll(db, sql: "SELECT name FROM item").map { "\($0 as String?)" } },
    { db in
      let items = try Item.fetchAll(db)
      let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM other WHERE n > 3")
      return items.map { "\($0)" } + ["\(count as Int?)"]
    },
    { db in try Item.fetchAll(db).map { "\($0)" } + Item.fetchAll(db).map(\.name) },
    { db in
      let number = try Int.fetchOne(db, sql: "SELECT n FROM other ORDER BY n DESC") ?? 0
      return try Item.filter(Column("id") < number).fetchAll(db).map { "\($0)" }
    },
    { db in
      try SQLRequest<Row>(
        sql: """
          SELECT *, (SELECT count(*) FROM other WHERE other.n = team.id) AS others FROM team
          """
      ).fetchAll(db).map { "\($0)" } + Row.fetchAll(db, sql: "SELECT * FROM other").map { "\($0)" }
    },
    { db in
      try Set(Double.fetchAll(db, sql: "SELECT price FROM item WHERE price > 1")).map { "\($0)" }
        .sorted()
    },
  ]

  @Test(arguments: closures.indices, [false, true])
  func `a closure has the value of a fresh run, and its fetches are patched`(
    index: Int,
    isForeign: Bool
  ) async throws {
    let pool = try pool()
    let closure = Self.closures[index]
    let observation = try await FollowedObservation(
      .tracking { db in try closure(db) },
      in: pool,
      path: directory.file(),
      fetch: closure
    )
    #expect(observation.cancellable.explain()?.isPatched == true)
    let runs = try await observation.commit(Self.changes, isForeign: isForeign)
    #expect(runs.patches > 0)
  }

  @Test func `the time of a run may be an argument`() async throws {
    let pool = try pool()
    let clock = Lock(0)
    let last = Lock<[Int64]>([])
    let observation = ValueObservation.tracking { db in
      let now = clock.withLock { $0 }
      return try Int64.fetchAll(db, sql: "SELECT id FROM item WHERE id > ?", arguments: [now])
    }
    .start(in: pool, scheduling: .async) {
      Issue.record($0)
    } onChange: { value in
      last.withLock { $0 = value }
    }
    try await pool.quiesce()
    for time in [38, 38, 20, 38] {
      clock.withLock { $0 = time }
      try await pool.write { db in try db.execute(sql: "UPDATE item SET id = id + 1 WHERE id = 40")
      }
      try await pool.write { db in try db.execute(sql: "UPDATE item SET id = id - 1 WHERE id = 41")
      }
      try await pool.quiesce()
      #expect(last.withLock { $0 } == Array(Int64(time) + 1...40))
    }
    observation.cancel()
  }

  @Test func `texts that Swift takes for equal are different arguments`() async throws {
    let pool = try pool()
    try await pool.write { db in
      try db.execute(
        sql: "UPDATE item SET name = ? WHERE id = 1; UPDATE item SET name = ? WHERE id = 2",
        arguments: ["\u{E9}", "e\u{301}"]
      )
    }
    let last = Lock<[[Int64]]>([])
    let observation = ValueObservation.tracking { db in
      try ["\u{E9}", "e\u{301}"].map { name in
        try Int64.fetchAll(db, sql: "SELECT id FROM item WHERE name = ?", arguments: [name])
      }
    }
    .start(in: pool, scheduling: .async) {
      Issue.record($0)
    } onChange: { value in
      last.withLock { $0 = value }
    }
    try await pool.quiesce()
    #expect(last.withLock { $0 } == [[1], [2]])
    try await pool.write { db in
      try db.execute(sql: "UPDATE item SET name = ? WHERE id = 3", arguments: ["e\u{301}"])
    }
    try await pool.quiesce()
    #expect(last.withLock { $0 } == [[1], [2, 3]])
    observation.cancel()
  }

  @Test func `arguments that are bound in another way are kept`() async throws {
    let pool = try pool()
    let last = Lock<[Int64]>([])
    let observation = ValueObservation.tracking { db in
      let statement = try db.makeStatement(sql: "SELECT id FROM item WHERE id > ?")
      sqlite3_bind_int64(statement.sqliteStatement, 1, 38)
      return try Int64.fetchAll(statement)
    }
    .start(in: pool, scheduling: .async) {
      Issue.record($0)
    } onChange: { value in
      last.withLock { $0 = value }
    }
    try await pool.quiesce()
    #expect(last.withLock { $0 } == [39, 40])
    observation.cancel()
  }

  @Test func `each statement of a closure is explained`() async throws {
    let pool = try pool()
    let observation = ValueObservation.tracking { db in
      let items = try Item.fetchAll(db)
      let sum = try Double.fetchOne(db, sql: "SELECT sum(price) FROM item")
      return "\(items) \(sum ?? 0)"
    }
    .start(in: pool, scheduling: .async) {
      Issue.record($0)
    } onChange: { _ in
    }
    try await pool.quiesce()
    let explanation = try #require(observation.explain())
    #expect(explanation.isPatched)
    #expect(
      explanation.statementObstacles == [
        "SELECT sum(price) FROM item":
          "groups by reals or by equal texts, or aggregates other values than integers"
      ]
    )
    #expect(
      explanation.description.contains(
        """
          SELECT * FROM "item"
            the rows of item
          SELECT sum(price) FROM item (runs as a whole, because it groups by reals or by equal texts, or \
        aggregates other values than integers)
        is patched by the rows that change
        """
      )
    )
    observation.cancel()
  }

  @Test(arguments: [1, UInt64.max])
  func `only the fetches of a slow closure are kept, from the second slow run on`(
    threshold: UInt64
  ) async throws {
    let pool = try pool(threshold: threshold)
    let observation = ValueObservation.tracking { db in try Item.fetchAll(db) }
      .start(in: pool, scheduling: .async) {
        Issue.record($0)
      } onChange: { _ in
      }
    let isSlow = threshold == 1
    let reasons =
      isSlow ? ["has been slow only once", "has been slow only once", nil] : ["is quick"]
    for number in 0..<4 {
      try await pool.quiesce()
      let explanation = try #require(observation.explain())
      let reason = reasons[min(number, reasons.count - 1)]
      #expect(explanation.patchObstacle == reason, "\(number)")
      #expect(explanation.isPatched == (reason == nil), "\(number)")
      #expect((pool.observationStatistics.patchMemory > 0) == (reason == nil), "\(number)")
      try await pool.write { try $0.execute(sql: "UPDATE item SET price = price + 1 WHERE id = 1") }
    }
    observation.cancel()
  }

  // MARK: Values

  private final class Reference: Codable {}
  private struct Nested: Codable { var texts: [String?: Set<URL>] }
  private struct Custom: Codable, FetchableRecord {
    static var databaseDecodingUserInfo: [CodingUserInfoKey: Any] { [.init(rawValue: "k")!: 1] }
    var id: Int
  }
  private enum Kind: String, Codable { case one, two }
  private enum Payload { case text(String) }
  private struct WithExistential { var value: any Hashable & Sendable }
  private struct WithClosure { var body: () -> Void }
  private struct WithPointer { var pointer: UnsafeMutablePointer<Int> }

  static let types: [(Any.Type, Bool)] = [
    (Int.self, true), (String.self, true), (Double?.self, true), (Date.self, true),
    (Data.self, true), (Kind.self, true), (Item.self, true), (Nested.self, true), (Row.self, true),
    (DatabaseValue.self, true), (Decimal.self, true), (UUID.self, true), (URL.self, true),
    ([Item]?.self, true), (Custom.self, false), (Reference.self, false), ([Reference].self, false),
    (WithPointer.self, false), (OpaquePointer.self, false), (Bool.self, true),
    (WithExistential.self, false), (Payload.self, false), (WithClosure.self, false),
    (Any.self, false), (NSObject.self, false),
  ]

  @Test(arguments: types.indices)
  func `only values are handed out again`(index: Int) {
    let (type, isValue) = Self.types[index]
    #expect(SharedValues.isValue(type) == isValue, "\(type)")
  }
}
