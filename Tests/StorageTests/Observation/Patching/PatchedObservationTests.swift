import Testing
import TestSupport
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

/// P1, P2: the values of a patched query are the same as the values of runs.
@Suite("P2: values of patched queries") struct PatchedObservationTests {
  private let directory = TemporaryDirectory()

  private func pool() throws -> DatabasePool {
    var configuration = Configuration()
    configuration.patchingThreshold = 0
    let path = directory.path + "/patched.sqlite"
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.write { db in try db.execute(sql: Item.schema) }
    return pool
  }

  @Test(arguments: [
    ("SELECT count(*) > 0 FROM item", "DELETE FROM item WHERE id = 1"),
    ("SELECT count(*) > 1 AS several FROM item WHERE price > 2", "DELETE FROM item WHERE id = 9"),
    ("SELECT count(*) = 0 FROM item", "INSERT INTO item VALUES (77, 'new', 1)"),
    ("SELECT count(1) < 100 FROM item", "DELETE FROM item WHERE id < 5"),
    ("SELECT count(*) > 2 = 1 FROM item WHERE price > 3", "UPDATE item SET price = 0 WHERE id = 9"),
    ("SELECT EXISTS (SELECT * FROM item WHERE price > 19) < 5", "DELETE FROM item WHERE id = 20"),
    (
      "SELECT NOT EXISTS (SELECT * FROM item WHERE price > 19) >= 0",
      "DELETE FROM item WHERE id = 20"
    ),
  ])
  func `P4: an equal value is not delivered, however the count changes`(
    query: String,
    change: String
  ) async throws {
    let pool = try pool()
    try await pool.write { db in
      for id in 1...20 { try Item(id: Int64(id), name: "n\(id)", price: Double(id)).insert(db) }
    }
    let requests = (
      one: SQLRequest<Bool>(sql: query), all: SQLRequest<Int>(sql: query),
      rows: SQLRequest<Row>(sql: query)
    )
    let (ones, first) = ValueObservation.trackingOne(requests.one).record(in: pool)
    let (_, second) = ValueObservation.tracking(requests.all).record(in: pool)
    let (_, third) = ValueObservation.trackingOne(requests.rows).record(in: pool)
    let value = try await ones.nextValue()
    try await pool.quiesce()
    let before = pool.observationStatistics
    try await pool.write { db in try db.execute(sql: change) }
    try await pool.quiesce()
    let after = pool.observationStatistics
    #expect(after.patches == before.patches + 3)
    #expect(after.deliveries == before.deliveries)
    #expect(try await pool.read { db in try requests.one.fetchOne(db) } == value)
    for cancellable in [first, second, third] { cancellable.cancel() }
  }

  @Test func `the first element and the count of a request are patched`() async throws {
    let pool = try pool()
    try await pool.write { db in
      for id in 1...20 { try Item(id: Int64(id), name: "n\(id)", price: Double(id)).insert(db) }
    }
    let cheap = SQLRequest<Item>(sql: "SELECT * FROM item WHERE price < 10 ORDER BY price DESC")
    let first = Lock<[Item?]>([])
    let count = Lock<[Int]>([])
    let observations = [
      ValueObservation.trackingOne(cheap).start(in: pool, scheduling: .async) {
        Issue.record($0)
      } onChange: { item in
        first.withLock { $0.append(item) }
      },
      ValueObservation.trackingCount(cheap).start(in: pool, scheduling: .async) {
        Issue.record($0)
      } onChange: { number in
        count.withLock { $0.append(number) }
      },
    ]
    try await pool.quiesce()
    let statements = [
      "UPDATE item SET price = 9.5 WHERE id = 12", "UPDATE item SET price = 30 WHERE id = 3",
      "UPDATE item SET price = 8 WHERE id = 12", "DELETE FROM item WHERE price < 10",
      "INSERT INTO item VALUES (30, 'new', 1)",
    ]
    for sql in statements {
      try await pool.write { db in try db.execute(sql: sql) }
      try await pool.quiesce()
    }
    let ids = first.withLock { $0.map { $0?.id } }
    #expect(ids == [9, 12, 9, nil, 30])
    #expect(count.withLock { $0 } == [9, 10, 9, 0, 1])
    // The first element is not concerned by item 3; the deletion of many rows may be a run.
    #expect(pool.observationStatistics.patches >= 7)
    for observation in observations { observation.cancel() }
  }

  @Test func `a column that is added after a run is observed`() async throws {
    var configuration = Configuration()
    configuration.patchingThreshold = 0
    configuration.maximumReaderCount = 1
    let path = directory.path + "/added.sqlite"
    let pool = try DatabasePool(path: path, configuration: configuration)
    try await pool.write { db in
      try db.execute(sql: Item.schema)
      try Item(id: 1, name: "cup", price: 4).insert(db)
    }
    let rows = Lock<[Row]>([])
    let request = SQLRequest<Row>(sql: "SELECT * FROM item")
    let cancellable = ValueObservation.tracking(request).start(in: pool) {
      Issue.record($0)
    } onChange: { value in
      rows.withLock { $0 = value }
    }
    for _ in 1...3 {
      try await pool.write { db in try db.execute(sql: "UPDATE item SET price = price + 1") }
      try await pool.quiesce()
    }
    try await pool.write { db in try db.execute(sql: "ALTER TABLE item ADD COLUMN extra") }
    try await pool.quiesce()
    try await pool.write { db in try db.execute(sql: "UPDATE item SET extra = 7") }
    try await pool.quiesce()
    let fresh = try await pool.read { db in try request.fetchAll(db) }
    #expect(rows.withLock { $0 } == fresh)
    cancellable.cancel()
  }

  @Test func `a query reads nothing by a schema that has changed before its run`() async throws {
    var configuration = Configuration()
    // The run after the change finds the statement of the run before it.
    configuration.maximumReaderCount = 1
    let pool = try DatabasePool(
      path: directory.path + "/changed.sqlite",
      configuration: configuration
    )
    try await pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE box (id INTEGER PRIMARY KEY, width, name, area AS (width * width));
          INSERT INTO box (id, width, name) VALUES (1, 3, 'red')
          """
      )
    }
    let areas = Lock<[Int]>([])
    let request = SQLRequest<Int>(sql: "SELECT area FROM box")
    let cancellable = ValueObservation.tracking(request).start(in: pool) {
      Issue.record($0)
    } onChange: { value in
      areas.withLock { $0 = value }
    }
    try await pool.quiesce()
    // It is not known which columns a generated column reads.
    #expect(cancellable.explain()?.region?.description == "box(*)")
    try await pool.write { db in
      try db.execute(
        sql: """
          DROP TABLE box;
          CREATE TABLE box (id INTEGER PRIMARY KEY, width, name, area);
          INSERT INTO box VALUES (1, 3, 'red', 10)
          """
      )
    }
    try await pool.quiesce()
    #expect(areas.withLock { $0 } == [10])
    let before = pool.observationStatistics
    try await pool.write { db in try db.execute(sql: "UPDATE box SET name = 'blue'") }
    try await pool.quiesce()
    #expect(pool.observationStatistics.refetches == before.refetches)
    cancellable.cancel()
  }

  @Test func `the memory for patches is at most 24 bytes a row, and ends with them`() async throws {
    let pool = try pool()
    let count = 1100
    try await pool.write { db in
      for id in 1...count { try Item(id: Int64(id), name: "n", price: 1).insert(db) }
    }
    let all = SQLRequest<Item>(sql: "SELECT * FROM item ORDER BY price")
    var observations: [AnyDatabaseCancellable] = []
    func observe<Value>(_ observation: ValueObservation<Value>) async throws -> Int {
      let before = pool.observationStatistics.patchMemory
      observations.append(
        observation.start(in: pool, scheduling: .async) {
          Issue.record($0)
        } onChange: { _ in
        }
      )
      try await pool.quiesce()
      return pool.observationStatistics.patchMemory - before
    }
    #expect(try await (8 * count...24 * count).contains(observe(.tracking(all))))
    #expect(try await (8 * count...24 * count).contains(observe(.trackingCount(all))))
    #expect(try await (8...1000).contains(observe(.trackingOne(all))))
    try await pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id > 500") }
    try await pool.write { db in try db.execute(sql: "UPDATE item SET price = 2 WHERE id = 7") }
    try await pool.quiesce()
    #expect(pool.observationStatistics.patchMemory <= 48 * 500 + 1000)
    for observation in observations { observation.cancel() }
    #expect(pool.observationStatistics.patchMemory == 0)
  }

  @Test func `numbers that are asked for in SQL are patched`() async throws {
    let pool = try pool()
    let count = SQLRequest<Int>(
      sql: "SELECT count(*) FROM item WHERE price < :limit",
      arguments: ["limit": 10]
    )
    let hasFree = SQLRequest<Bool>(sql: "SELECT EXISTS (SELECT * FROM item WHERE price = 0)")
    let named = SQLRequest<Row>(sql: "SELECT Count(*) FROM item")
    let values = Lock<[String]>([])
    @Sendable func note(_ value: String) { values.withLock { $0.append(value) } }
    let observations = [
      ValueObservation.trackingOne(count).start(in: pool, scheduling: .async) {
        Issue.record($0)
      } onChange: {
        note("\($0 ?? -1) cheap")
      },
      ValueObservation.trackingOne(hasFree).start(in: pool, scheduling: .async) {
        Issue.record($0)
      } onChange: {
        note("free: \($0 ?? false)")
      },
      ValueObservation.tracking(named).start(in: pool, scheduling: .async) {
        Issue.record($0)
      } onChange: { rows in
        note("\(rows[0]["Count(*)"] as Int) in all")
      },
    ]
    try await pool.quiesce()
    var steps: [[String]] = [values.withLock { $0.sorted() }]
    let statements = [
      "INSERT INTO item VALUES (1, 'a', 5), (2, 'b', 20)", "UPDATE item SET price = 0 WHERE id = 2",
      "UPDATE item SET name = 'x'", "DELETE FROM item WHERE id = 2",
    ]
    for sql in statements {
      values.withLock { $0 = [] }
      try await pool.write { db in try db.execute(sql: sql) }
      try await pool.quiesce()
      steps.append(values.withLock { $0.sorted() })
    }
    #expect(
      steps == [
        ["0 cheap", "0 in all", "free: false"], ["1 cheap", "2 in all"], ["2 cheap", "free: true"],
        [], ["1 cheap", "1 in all", "free: false"],
      ]
    )
    #expect(pool.observationStatistics.refetches == 3)
    for observation in observations { observation.cancel() }
  }

  @Test func `each value equals a fresh run after random transactions`() async throws {
    var patches = 0
    for seed in 100..<UInt64(Soak.size(300, inSuite: 104)) {
      var configuration = Configuration()
      configuration.patchingThreshold = 0
      let database: any DatabaseWriter =
        if seed % 3 == 0 {
          try DatabaseQueue(configuration: configuration)
        } else {
          try DatabasePool(
            path: directory.path + "/\(seed).sqlite",
            configuration: configuration
          )
        }
      patches += try await observe(RandomQueries(seed: seed), in: database)
    }
    #expect(patches > 100)
  }

  private func observe(
    _ queries: RandomQueries,
    in database: some DatabaseWriter
  ) async throws -> Int {
    let shared = Lock(queries)
    @Sendable func withQueries<Result>(
      _ body: (inout RandomQueries) throws -> Result
    ) rethrows -> Result {
      var queries = shared.withLock { $0 }
      defer { shared.withLock { [queries] in $0 = queries } }
      return try body(&queries)
    }
    try await database.write { db in try withQueries { try $0.makeTable(db) } }
    let requests = (0..<5).map { number in
      let (sql, arguments) = withQueries { number < 4 ? $0.query() : $0.numberQuery() }
      return SQLRequest<Row>(
        sql: sql,
        arguments: StatementArguments(values: arguments, namedValues: [:])
      )
    }
    let followed = requests.map { FollowedRequest($0, in: database) }
    for _ in 0..<Soak.size(200, inSuite: 20) {
      try await database.write { db in _ = try withQueries { try $0.transaction(db) } }
      try await database.quiesce()
      for request in followed {
        let fresh = try await database.read { db in try request.fresh(db) }
        guard request.last == fresh else {
          Issue.record("\(request.request): \(request.last) != \(fresh)")
          return 0
        }
      }
    }
    for request in followed { request.cancel() }
    return database.observationStatistics.patches
  }
}
