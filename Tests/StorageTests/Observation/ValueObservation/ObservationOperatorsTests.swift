import Dispatch
import Synchronization
import TestSupport
import Testing
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

/// Collects lines from any thread.
final class LineLog: Sendable, TextOutputStream {
  private let lines = Lock<[String]>([])
  func append(_ line: String) { lines.withLock { $0.append(line) } }
  func write(_ string: String) { append(String(string.dropLast())) }
  var all: [String] { lines.withLock { $0 } }
}

@Suite struct ObservationOperatorsTests {
  /// The price of item 1.
  static let price = ValueObservation.tracking { db in
    try Int.fetchOne(db, sql: "SELECT price FROM item WHERE id = 1") ?? -1
  }

  private func setPrice(_ price: Int, _ shop: Shop) async throws {
    try await shop.pool.write { db in
      try db.execute(sql: "UPDATE item SET price = ? WHERE id = 1", arguments: [price])
    }
  }

  // MARK: Map and duplicates

  @Test func `A-096: map transforms values and drops equal results`() async throws {
    let shop = try Shop()
    let runs = Atomic(0)
    let (recorder, cancellable) = Self.price.map { price -> String in
      runs.add(1, ordering: .relaxed)
      return price < 10 ? "cheap" : "dear"
    }.record(in: shop.pool)
    #expect(try await recorder.nextValue() == "cheap")
    try await setPrice(5, shop)
    try await shop.pool.quiesce()
    try await setPrice(50, shop)
    #expect(try await recorder.nextValue() == "dear")
    #expect(runs.load(ordering: .relaxed) == 3)
    cancellable.cancel()
  }

  @Test func `P8: an error of map is delivered, and the observation goes on`() async throws {
    struct Negative: Error {}
    let shop = try Shop()
    let (recorder, cancellable) = Self.price.map { price -> Int in
      if price < 0 { throw Negative() }
      return price
    }.record(in: shop.pool)
    #expect(try await recorder.nextValue() == 4)
    try await setPrice(-1, shop)
    #expect(try await recorder.nextError() is Negative)
    // The same value as before the error is delivered again.
    try await setPrice(4, shop)
    #expect(try await recorder.nextValue() == 4)
    cancellable.cancel()
  }

  /// A type whose `==` compares only `id`.
  private struct Tag: Equatable {
    let id: Int
    let price: Double
    static func == (left: Tag, right: Tag) -> Bool { left.id == right.id }
  }

  private static let tag = ValueObservation.tracking { db in
    Tag(
      id: try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? -1,
      price: try Double.fetchOne(db, sql: "SELECT price FROM item WHERE id = 1") ?? -1
    )
  }

  @Test func `equal values are dropped unless duplicates are allowed`() async throws {
    let shop = try Shop()
    let (dropping, first) = Self.tag.record(in: shop.pool)
    let (allowing, second) = Self.tag.allowDuplicates().record(in: shop.pool)
    let (comparing, third) = Self.tag.removeDuplicates { $0.price == $1.price }
      .record(in: shop.pool)
    for recorder in [dropping, allowing, comparing] {
      #expect(try await recorder.nextValue().price == 4)
    }
    try await setPrice(5, shop)
    #expect(try await allowing.nextValue().price == 5)
    #expect(try await comparing.nextValue().price == 5)
    try await shop.pool.write { db in
      try db.execute(sql: "UPDATE item SET price = 9 WHERE id = 1")
      try db.execute(sql: "UPDATE item SET price = 5 WHERE id = 1")
    }
    #expect(try await allowing.nextValue().price == 5)
    try await setPrice(6, shop)
    #expect(try await comparing.nextValue().price == 6)
    #expect(shop.pool.observationStatistics.live == 3)
    try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 2") }
    #expect(try await dropping.nextValue().id == 1)
    for cancellable in [first, second, third] { cancellable.cancel() }
  }

  @Test func `removeDuplicates reverses allowDuplicates`() async throws {
    let shop = try Shop()
    let observation = Self.price.allowDuplicates().removeDuplicates()
    let (recorder, cancellable) = observation.record(in: shop.pool)
    #expect(try await recorder.nextValue() == 4)
    try await shop.pool.write { db in
      try db.execute(sql: "DELETE FROM item WHERE id = 1; INSERT INTO item VALUES (1, 'cup', 4)")
    }
    try await shop.pool.quiesce()
    try await setPrice(5, shop)
    #expect(try await recorder.nextValue() == 5)
    #expect(shop.pool.observationStatistics.runs == 3)
    cancellable.cancel()
  }

  private struct PriceRequest: ObservationRequest {
    func fetch(_ db: Database) throws -> Int {
      try Int.fetchOne(db, sql: "SELECT price FROM item WHERE id = 1") ?? -1
    }
  }

  @Test func `P6: operators keep equal requests together`() async throws {
    let shop = try Shop()
    let (first, one) = ValueObservation.tracking(PriceRequest()).map { $0 + 1 }
      .record(in: shop.pool)
    #expect(try await first.nextValue() == 5)
    let (second, two) = ValueObservation.tracking(PriceRequest()).numbered().map { $0.value * 2 }
      .record(in: shop.pool)
    #expect(try await second.nextValue() == 8)
    #expect(shop.pool.observationStatistics.runs == 1)
    #expect(shop.pool.observationStatistics.live == 1)
    one.cancel()
    two.cancel()
    #expect(shop.pool.observationStatistics.live == 0)
  }

  // MARK: Regions

  @Test func `A-093: a given region replaces the region that the SQL reads`() async throws {
    let shop = try Shop()
    try await shop.pool.write { db in try db.execute(sql: "CREATE TABLE signal (x)") }
    let (recorder, cancellable) = ValueObservation.tracking(
      region: DatabaseRegion(table: "signal"),
      fetch: { db in try Int.fetchOne(db, sql: "SELECT price FROM item WHERE id = 1") }
    ).record(in: shop.pool)
    #expect(try await recorder.nextValue() == 4)
    try await setPrice(5, shop)
    #expect(shop.pool.observationStatistics.runs == 1)
    try await shop.pool.write { db in try db.execute(sql: "INSERT INTO signal VALUES (1)") }
    #expect(try await recorder.nextValue() == 5)
    cancellable.cancel()
  }

  @Test func `A-093: each of several given regions triggers the observation`() async throws {
    let shop = try Shop()
    try await shop.pool.write { db in
      try db.execute(sql: "CREATE TABLE signal (x); CREATE TABLE sign (x); CREATE TABLE noise (x)")
    }
    let regions = [DatabaseRegion(table: "signal"), DatabaseRegion(table: "sign")]
    let runs = Atomic(0)
    let (recorder, cancellable) = ValueObservation.tracking(regions: regions) { _ in
      runs.add(1, ordering: .relaxed).newValue
    }.record(in: shop.pool)
    #expect(try await recorder.nextValue() == 1)
    for (run, table) in [(2, "signal"), (3, "sign")] {
      try await shop.pool.write { db in try db.execute(sql: "INSERT INTO noise VALUES (1)") }
      try await shop.pool.write { db in try db.execute(sql: "INSERT INTO \(table) VALUES (1)") }
      #expect(try await recorder.nextValue() == run)
    }
    cancellable.cancel()
  }

  @Test func `A-093: a constant region is the region of the first run`() async throws {
    let shop = try Shop()
    let runs = Atomic(0)
    let (recorder, cancellable) = ValueObservation.trackingConstantRegion { db in
      let table = runs.add(1, ordering: .relaxed).oldValue == 0 ? "item" : "sqlite_schema"
      return try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)")
    }.allowDuplicates().record(in: shop.pool)
    #expect(try await recorder.nextValue() == 2)
    for _ in 0..<2 {
      try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 1") }
      try await shop.pool.write { db in try Item.cup.insert(db) }
      _ = try await recorder.nextValue()
    }
    #expect(cancellable.explain()?.region?.description == "item()")
    cancellable.cancel()
  }

  // MARK: Events

  @Test func `A-096: print writes the events in order`() async throws {
    let shop = try Shop()
    let log = LineLog()
    let (recorder, cancellable) = Self.price.print("price", to: log).record(in: shop.pool)
    _ = try await recorder.nextValue()
    try await setPrice(5, shop)
    _ = try await recorder.nextValue()
    cancellable.cancel()
    #expect(
      log.all == [
        "price: start", "price: fetch", "price: tracked region: item(id,price)[1]",
        "price: value: 4", "price: database did change", "price: fetch", "price: value: 5",
        "price: cancel",
      ]
    )
  }

  @Test func `events and errors of a sequence are handled`() async throws {
    let shop = try Shop()
    let log = LineLog()
    let observation = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT missing FROM item")
    }.handleEvents(
      willStart: { log.append("start") },
      didFail: { log.append("fail: \(($0 as? DatabaseError)?.message ?? "")") },
      didCancel: { log.append("end") }
    )
    await #expect(throws: DatabaseError.self) {
      for try await _ in observation.values(in: shop.pool) {}
    }
    #expect(log.all == ["start", "fail: no such column: missing", "end"])
  }

  // MARK: Throttle

  @Test func `a throttled callback gets the first value and the last one, and few between`()
    async throws
  {
    let shop = try Shop()
    // Before the first value, with which the interval begins.
    let start = ContinuousClock.now
    let (recorder, cancellable) = Self.price.throttle(for: .milliseconds(150))
      .record(in: shop.pool)
    #expect(try await recorder.nextValue() == 4)
    for price in 10...60 { try await setPrice(price, shop) }
    var count = 0
    _ = try await recorder.value { price in
      count += 1
      return price == 60
    }
    let duration = ContinuousClock.now - start
    #expect(duration >= .milliseconds(150))
    #expect(count <= Int(duration / .milliseconds(150)))
    cancellable.cancel()
  }

  @Test func `a throttled sequence yields the last value`() async throws {
    let shop = try Shop()
    let start = ContinuousClock.now
    var prices: [Int] = []
    for try await price in Self.price.throttle(for: .milliseconds(100)).values(in: shop.pool) {
      prices.append(price)
      if price == 30 { break }
      if prices.count == 1 {
        for price in 11...30 { try await setPrice(price, shop) }
      }
    }
    let duration = ContinuousClock.now - start
    #expect(duration >= .milliseconds(100))
    #expect(prices.count <= 1 + Int(duration / .milliseconds(100)))
  }

  @Test func `a throttled observation can be shared`() async throws {
    let shop = try Shop()
    let shared = Self.price.throttle(for: .milliseconds(150)).shared(in: shop.pool)
    let recorders = [Recorder<Int>(), Recorder<Int>()]
    let start = ContinuousClock.now
    let cancellables = recorders.map { recorder in
      shared.start(
        onError: { recorder.append(error: $0) },
        onChange: { recorder.append($0) }
      )
    }
    for recorder in recorders { #expect(try await recorder.nextValue() == 4) }
    for price in 10...60 { try await setPrice(price, shop) }
    for recorder in recorders {
      var count = 0
      _ = try await recorder.value { price in
        count += 1
        return price == 60
      }
      let duration = ContinuousClock.now - start
      #expect(duration >= .milliseconds(150))
      #expect(count <= Int(duration / .milliseconds(150)))
    }
    for cancellable in cancellables { cancellable.cancel() }
  }

  @Test func `a throttled query does not run while its value would be held back`() async throws {
    let shop = try Shop()
    let runs = Atomic(0)
    let (throttled, first) = ValueObservation.tracking { db in
      runs.add(1, ordering: .relaxed)
      return try Int.fetchOne(db, sql: "SELECT price FROM item WHERE id = 1") ?? -1
    }.throttle(for: .seconds(3600)).record(in: shop.pool)
    let (every, second) = Self.price.record(in: shop.pool)
    #expect(try await throttled.nextValue() == 4)
    for price in 10...60 { try await setPrice(price, shop) }
    _ = try await every.value { $0 == 60 }
    #expect(runs.load(ordering: .relaxed) == 1)
    first.cancel()
    second.cancel()
  }

  @Test func `an observation without a limit gets each value of a query that others throttle`()
    async throws
  {
    let shop = try Shop()
    let request = SQLRequest<Int>(sql: "SELECT price FROM item WHERE id = 1")
    let shared = ValueObservation.trackingOne(request)
    let (throttled, first) = shared.throttle(for: .seconds(3600)).record(in: shop.pool)
    #expect(try await throttled.nextValue() == 4)
    try await setPrice(5, shop)
    let (every, second) = shared.record(in: shop.pool)
    #expect(try await every.nextValue() == 5)
    for price in 6...20 {
      try await setPrice(price, shop)
      #expect(try await every.nextValue() == price)
    }
    second.cancel()
    first.cancel()
  }

  // MARK: Explaining

  @Test func `a running iteration explains itself`() async throws {
    let shop = try Shop()
    var values = Self.price.values(in: shop.pool).makeAsyncIterator()
    var results = Self.price.results(in: shop.pool).makeAsyncIterator()
    #expect(values.explain() == nil)
    _ = try await values.next()
    _ = await results.next()
    for explanation in [values.explain(), results.explain()] {
      #expect(explanation?.region?.description == "item(id,price)[1]")
    }
    try shop.pool.close()
    #expect(try await values.next() == nil)
    #expect(values.explain() == nil)
  }

  @Test func `an explanation tells the conditions, why nothing is patched, and skipped commits`()
    async throws
  {
    let directory = TemporaryDirectory()
    var configuration = Configuration()
    configuration.patchingThreshold = .max
    let pool = try DatabasePool(path: directory.file(), configuration: configuration)
    try await pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE ticket (id INTEGER PRIMARY KEY, agent INTEGER, title TEXT, note TEXT);
          INSERT INTO ticket VALUES (1, 5, 'a', ''), (2, 6, 'b', '')
          """
      )
    }
    let request = SQLRequest<Row>(sql: "SELECT id, title FROM ticket WHERE agent = 5")
    let byRequest = ValueObservation.tracking(AllElements(request))
      .start(in: pool, onError: { Issue.record($0) }) { _ in }
    let byClosure = ValueObservation.tracking { try request.fetchAll($0) }
      .start(in: pool, onError: { Issue.record($0) }) { _ in }
    try await pool.quiesce()
    #expect(byRequest.explain()?.skippedCommits == [])
    #expect(byClosure.explain()?.patchObstacle == "is quick")
    try await pool.write { try $0.execute(sql: "UPDATE ticket SET title = 'x' WHERE id = 2") }
    try await pool.write { try $0.execute(sql: "UPDATE ticket SET note = 'x'") }
    try await pool.write { try $0.execute(sql: "UPDATE ticket SET title = 'x' WHERE id = 1") }
    try await pool.write { try $0.execute(sql: "CREATE TABLE other (id INTEGER)") }
    try await pool.quiesce()
    let explanation = try #require(byRequest.explain())
    #expect(explanation.region?.description == "ticket(agent,id,title)[agent=5]")
    #expect(explanation.skippedCommits.map(\.reason) == [.values, .columns])
    #expect(explanation.patchObstacle == "is quick")
    let first = explanation.skippedCommits[0].number
    let text = explanation.description.split(separator: "\n")
    #expect(text[0] == "reads ticket(agent,id,title)[agent=5]")
    #expect(text.contains("commit \(first) was skipped: it has other values"))
    let closure = try #require(byClosure.explain())
    #expect(closure.patchObstacle == "is quick")
    #expect(closure.skippedCommits == explanation.skippedCommits)
  }

  @Test func `a running observation explains itself`() async throws {
    let shop = try Shop()
    let (recorder, cancellable) = Self.price.record(in: shop.pool)
    _ = try await recorder.nextValue()
    for price in 1...9 {
      try await setPrice(100 + price, shop)
      _ = try await recorder.nextValue()
    }
    let explanation = try #require(cancellable.explain())
    #expect(explanation.statements == ["SELECT price FROM item WHERE id = 1"])
    #expect(explanation.region?.description == "item(id,price)[1]")
    #expect(explanation.wakeUps.count == 8)
    #expect(explanation.wakeUps.allSatisfy { $0.region.description == "item(price)[1]" })
    #expect(explanation.wakeUps.map(\.number) == explanation.wakeUps.map(\.number).sorted())
    #expect(explanation.wakeUps.allSatisfy { !$0.isUnspecific })
    #expect(explanation.description.hasPrefix("reads item(id,price)[1]\n  SELECT price"))
    #expect(explanation.description.hasSuffix(" touched item(price)[1]"))
    try SQLiteShell.run(shop.path, "UPDATE item SET price = 200")
    #expect(try await recorder.nextValue() == 200)
    let foreign = try #require(cancellable.explain())
    #expect(foreign.wakeUps.last?.isUnspecific == false)
    #expect(foreign.description.hasSuffix(" touched item(price)[1]"))
    try SQLiteShell.run(shop.path, "CREATE TABLE other (n); UPDATE item SET price = 300")
    #expect(try await recorder.nextValue() == 300)
    try await shop.pool.quiesce()
    let unknown = try #require(cancellable.explain())
    #expect(unknown.wakeUps.contains { $0.isUnspecific && $0.reason?.contains("schema") == true })
    #expect(
      unknown.description.contains(
        "may have touched anything: the schema or the header of the file has changed"
      )
    )
    cancellable.cancel()
    #expect(cancellable.explain() == nil)
  }

  /// A type whose `==` compares only `number`.
  private struct Version: Equatable, Sendable {
    let number: Int
    let text: String
    static func == (left: Version, right: Version) -> Bool { left.number == right.number }
  }

  private static let versions = Shop.items.map { items in
    Version(number: items.count, text: items.map(\.name).joined(separator: " "))
  }

  @Test func `after map, equal values are dropped unless duplicates are allowed`() async throws {
    let shop = try Shop()
    let (dropping, first) = Self.versions.record(in: shop.pool)
    let (allowing, second) = Self.versions.handleEvents().allowDuplicates()
      .record(in: shop.pool)
    let (comparing, third) = Self.versions.removeDuplicates { $0.text == $1.text }
      .record(in: shop.pool)
    for recorder in [dropping, allowing, comparing] {
      #expect(try await recorder.nextValue().text == "cup pot")
    }
    try await shop.pool.write { db in
      try db.execute(sql: "UPDATE item SET name = 'mug' WHERE id = 1")
    }
    #expect(try await allowing.nextValue().text == "mug pot")
    #expect(try await comparing.nextValue().text == "mug pot")
    try await shop.pool.write { db in try db.execute(sql: "UPDATE item SET price = 9") }
    #expect(try await allowing.nextValue().text == "mug pot")
    try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 2") }
    #expect(try await allowing.nextValue().text == "mug")
    #expect(try await comparing.nextValue().text == "mug")
    #expect(try await dropping.nextValue().text == "mug")
    for cancellable in [first, second, third] { cancellable.cancel() }
  }
}
