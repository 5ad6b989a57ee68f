import Dispatch
import Sharing
import Synchronization
import Testing
import TestSupport
import WellspringSystem

@Suite(.patient) struct SharedReaderLoadingTests {
  @Test func `A-117: load fetches again, and throws the error of the query`() async throws {
    let database = try await makeDatabase()
    @SharedReader(.items(in: database)) var items
    try await $items.load()
    #expect(database.observationStatistics.runs == 2)
    #expect(items.count == 2)
    try await database.run("DROP TABLE item")
    await #expect(throws: DatabaseError.self) { try await $items.load() }
    #expect($items.loadError != nil)
    #expect(items.count == 2)
    #expect(!$items.isLoading)
  }

  @Test func `load of an unchanged value delivers nothing`() async throws {
    let database = try await makeDatabase()
    @SharedReader(.items(in: database)) var items
    var values = $items.values.makeAsyncIterator()
    #expect(await values.next()?.count == 2)
    try await $items.load()
    try await database.run("DELETE FROM item WHERE id = 1")
    #expect(await values.next()?.count == 1)
  }

  @Test func `a reader shows the value of a load when the load returns`() async throws {
    let database = try await makeDatabase()
    let reader = SharedReader(wrappedValue: 0, .fetch(ItemCount(), database: database))
    for id in 3...400 {
      try await database.run("INSERT INTO item VALUES (\(id), 'tub')")
      if id.isMultiple(of: 2) {
        try await reader.load()
        #expect(reader.wrappedValue == id)
      }
    }
  }

  private struct ItemCount: FetchKeyRequest {
    func fetch(_ db: Database) throws -> Int { try Item.fetchCount(db) }
  }

  @Test func `a load waits until an older value that is being delivered is shown`() async throws {
    let database = try await makeDatabase()
    try await database.run("CREATE TABLE note (text TEXT)")
    let gate = ComparisonGate()
    let reader = SharedReader(
      wrappedValue: GatedCount(count: 0, gate: gate),
      .fetch(GatedCount.Request(gate: gate), database: database)
    )
    #expect(reader.wrappedValue.count == 2)
    // The gate does not stop the values that come on another queue.
    let notes = SharedReader<Int>(
      wrappedValue: 0,
      .fetchOne(
        sql: "SELECT count(*) FROM note",
        database: database,
        scheduler: .async(onQueue: DispatchQueue(label: "notes"))
      )
    )
    var noteCounts = notes.values.makeAsyncIterator()
    #expect(await noteCounts.next() == 0)
    // After an error, a value is compared with the last value before the error.
    try await database.run("ALTER TABLE item RENAME TO other")
    try await database.quiesce()
    #expect(reader.loadError != nil)
    gate.close()
    defer { gate.open() }
    try await database.write { db in
      try db.execute(sql: "ALTER TABLE other RENAME TO item; DELETE FROM item WHERE id = 1")
    }
    try await gate.comparisonStarted.wait()
    let fetches = gate.fetchCount
    try await database.run("DELETE FROM item")
    try await gate.waitForFetch(fetches + 1)
    let hasLoaded = Atomic(false)
    async let load: Void = {
      try await reader.load()
      hasLoaded.store(true, ordering: .releasing)
    }()
    try await gate.waitForFetch(fetches + 2)
    // The fetch of the load precedes the fetch of this commit. A load that does not wait for the
    // older value has returned when the commit is visible.
    try await database.run("INSERT INTO note VALUES ('later')")
    #expect(await noteCounts.next() == 1)
    let wasTooEarly = hasLoaded.load(ordering: .acquiring)
    #expect(!wasTooEarly)
    gate.open()
    try await load
    #expect(reader.wrappedValue.count == 0)
  }

  @Test func `a reader is loading while it loads`() async throws {
    let key = ManualKey(answer: nil)
    @SharedReader(key) var value = 0
    key.takeContinuation()?.resume(returning: 1)
    let load = Task { [reader = $value] in try await reader.load() }
    let continuation = try await key.nextContinuation()
    #expect($value.isLoading)
    continuation.resume(returning: 2)
    try await load.value
    #expect(!$value.isLoading)
    #expect(value == 2)
  }

  @Test func `a cancelled load throws, and the reader keeps working`() async throws {
    let key = ManualKey()
    @SharedReader(key) var value = 0
    key.takeContinuation()?.resume(returning: 1)
    let reader = $value
    let load = Task { try await reader.load() }
    let continuation = try await key.nextContinuation()
    load.cancel()
    await #expect(throws: CancellationError.self) { try await load.value }
    #expect($value.loadError == nil)
    continuation.resume(returning: 2)
    #expect(value == 2)
  }

  // MARK: Other keys

  @Test
  func `A-118, A-132: loading another key delivers one value and ends the old observation`()
    async throws
  {
    let database = try await makeDatabase()
    let sql = "SELECT * FROM item WHERE id = ?"
    @SharedReader(.fetchAll(sql: sql, arguments: [1], database: database)) var items: [Item]
    let copy = $items
    var values = $items.values.makeAsyncIterator()
    #expect(await values.next()?.map(\.id) == [1])
    try await $items.load(.fetchAll(sql: sql, arguments: [2], database: database))
    #expect(items.map(\.id) == [2])
    #expect(copy.wrappedValue.map(\.id) == [2])
    #expect(database.observationStatistics.live == 1)
    #expect(database.observationStatistics.runs == 2)
    try await database.run("UPDATE item SET name = 'tub' WHERE id = 2")
    try await database.run("UPDATE item SET name = 'mug' WHERE id = 1")
    try await database.quiesce()
    var names: [String] = []
    while let items = await values.next() {
      names += items.map(\.name)
      if names.last == "tub" { break }
      try await database.run("UPDATE item SET name = 'tub' WHERE id = 2")
    }
    #expect(names.count <= 2)
  }

  @Test func `after another key is loaded, commits wake for the values of that key`() async throws {
    let database = try await makeDatabase()
    try await database.run("UPDATE item SET name = 'n' || id")
    let sql = "SELECT id FROM item WHERE name = ? ORDER BY id"
    @SharedReader(.fetchAll(sql: sql, arguments: ["n1"], database: database)) var ids: [Int]
    try await $ids.load()
    #expect(ids == [1])
    try await $ids.load(.fetchAll(sql: sql, arguments: ["n2"], database: database))
    #expect(ids == [2])
    try await database.quiesce()
    let before = database.observationStatistics.runs
    try await database.run("UPDATE item SET name = 'other' WHERE id = 1")
    try await database.quiesce()
    #expect(database.observationStatistics.runs == before)
    try await database.run("UPDATE item SET name = 'n2' WHERE id = 1")
    try await database.quiesce()
    #expect(ids == [1, 2])
    #expect(database.observationStatistics.runs == before + 1)
  }

  @Test func `each load of a key delivers exactly one value`() async throws {
    let database = try await makeDatabase()
    let reader = SharedReader<[Row]>(value: [])
    var values = reader.values.makeAsyncIterator()
    #expect(await values.next() == [])
    for id in [1, 2, 1, 9, 2] {
      let sql = "SELECT id, \(id) FROM item WHERE id = ?"
      try await reader.load(.fetchAll(sql: sql, arguments: [id], database: database))
      let expected = id == 9 ? [] : [id]
      #expect(await values.next()?.map { $0["id"] as Int } == expected)
    }
    try await database.run("DELETE FROM item WHERE id = 2")
    #expect(await values.next() == [])
  }

  @Test func `of several loads by tasks of one actor, the last one wins`() async throws {
    let database = try await makeDatabase()
    for _ in 0..<100 {
      let search = await Search(database)
      let tasks = await search.type(Array(1...6))
      for task in tasks { try await task.value }
      #expect(await search.found == [6])
    }
  }

  @Test func `a loop of an actor takes the first value that it wants`() async throws {
    let database = try await makeDatabase()
    let search = await Search(database)
    #expect(try await search.load(3) == [3])
  }

  /// A search field: each text starts a task.
  @MainActor private final class Search {
    @SharedReader(value: []) var found: [Int]
    private let database: DatabaseQueue

    init(_ database: DatabaseQueue) { self.database = database }

    func type(_ numbers: [Int]) -> [Task<Void, any Error>] {
      numbers.map { number in Task { try await show(number) } }
    }

    func load(_ number: Int) async throws -> [Int]? {
      try await show(number)
      var count = 0
      return await $found.values.first { value in
        count += 1
        return value == [number]
      }
    }

    private func show(_ number: Int) async throws {
      try await $found.load(.fetchAll(sql: "SELECT ?", arguments: [number], database: database))
    }
  }

  @Test func `a reader keeps its value when loading another key fails, and recovers`()
    async throws
  {
    let database = try await makeDatabase()
    @SharedReader(.items(in: database)) var items
    await #expect(throws: DatabaseError.self) {
      try await $items.load(.fetchAll(sql: "SELECT * FROM other", database: database))
    }
    #expect(items.count == 2)
    #expect($items.loadError != nil)
    try await database.run("CREATE TABLE other (id INTEGER, name TEXT)")
    try await database.quiesce()
    #expect(items.isEmpty)
    #expect($items.loadError == nil)
  }

  @Test func `A-118: a reader can be assigned`() async throws {
    let database = try await makeDatabase()
    @SharedReader(value: []) var items: [Item]
    var values = $items.values.makeAsyncIterator()
    #expect(await values.next() == [])
    $items = SharedReader(.items(in: database))
    #expect(items.count == 2)
    #expect(await values.next()?.count == 2)
  }

  @Test func `a reader cannot be assigned a reader that is derived from it`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let items = SharedReader(value: [1])
      items.projectedValue = items.read { $0 + [2] }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      text.contains(
        "A reader cannot show what is derived from itself. Assign a reader of another key."
      )
    )
  }

  // MARK: Required values

  @Test func `A-119: a required value is loaded without blocking, in one fetch`()
    async throws
  {
    let database = try await makeDatabase()
    let reader = try await SharedReader(require: .items(in: database))
    #expect(reader.wrappedValue.count == 2)
    #expect(database.observationStatistics.runs == 1)
    try await database.run("DELETE FROM item")
    try await database.quiesce()
    #expect(reader.wrappedValue.isEmpty)
  }

  @Test func `a required value that cannot be loaded throws`() async throws {
    let database = try await makeDatabase()
    await #expect(throws: DatabaseError.self) {
      _ = try await SharedReader<[Item]>(
        require: .fetchAll(sql: "SELECT * FROM other", database: database)
      )
    }
    await #expect(throws: NoDefaultDatabase.self) {
      _ = try await SharedReader<[Item]>(require: .fetchAll(sql: "SELECT * FROM item"))
    }
    // The thread that reports the error releases the reader.
    try await eventually { database.observationStatistics.live == 0 }
  }

  // MARK: Readers of a key that is being loaded

  private static let loads = ["required", "loaded", "loaded and cancelled"]

  /// The key of the number of items. Values that are not delivered immediately come on the queue.
  private func countKey(_ database: DatabaseQueue, _ queue: DispatchQueue) -> FetchKey<Int> {
    .fetchCount(Item.all(), database: database, scheduler: .async(onQueue: queue))
  }

  @Test(arguments: loads)
  func `a reader of a key that is being loaded has the first value, in the same fetch`(
    _ kind: String
  ) async throws {
    let database = try await makeDatabase()
    // The values that are not delivered immediately wait.
    let queue = DispatchQueue(label: "suspended")
    queue.suspend()
    let key = countKey(database, queue)
    let loading = SharedReader(value: 7)
    let load = Task {
      if kind == "required" { return try await SharedReader(require: key).wrappedValue }
      try await loading.load(key)
      return loading.wrappedValue
    }
    try await eventually { database.observationStatistics.runs == 1 }
    if kind == "loaded and cancelled" {
      load.cancel()
      await #expect(throws: CancellationError.self) { try await load.value }
    }
    let reader = SharedReader(wrappedValue: 0, key)
    #expect(reader.wrappedValue == 2)
    #expect(reader.loadError == nil)
    if kind != "loaded and cancelled" { #expect(try await load.value == 2) }
    #expect(database.observationStatistics.live == 1)
    #expect(database.observationStatistics.runs == 1)
    queue.resume()
    try await database.run("DELETE FROM item WHERE id = 1")
    try await database.quiesce()
    #expect(reader.wrappedValue == 1)
  }

  @Test func `a reader of a key that is being loaded has the error of the query`() async throws {
    let database = try await makeDatabase()
    let queue = DispatchQueue(label: "suspended")
    queue.suspend()
    defer { queue.resume() }
    let key = FetchKey<[Item]>.fetchAll(
      sql: "SELECT * FROM other",
      database: database,
      scheduler: .async(onQueue: queue)
    )
    let load = Task { try await SharedReader(require: key) }
    try await eventually { database.observationStatistics.runs == 1 }
    let reader = SharedReader<[Item]>(key)
    #expect(reader.wrappedValue.isEmpty)
    #expect((reader.loadError as? DatabaseError)?.message == "no such table: other")
    await #expect(throws: DatabaseError.self) { try await load.value }
  }

  @Test func `a reader waits for a slow query that is being loaded`() async throws {
    let database = try await makeDatabase()
    let gate = FetchGate()
    let key = FetchKey<Int>.fetch(gate, database: database)
    // The task keeps its reader. If it ended first, the other reader would start another query.
    let load = Task { try await SharedReader(require: key) }
    try await gate.started.wait()
    let values = AsyncStream.makeStream(of: Int.self)
    DispatchQueue(label: "reader").async {
      gate.open.signal()
      values.continuation.yield(SharedReader(wrappedValue: 0, key).wrappedValue)
    }
    #expect(await values.stream.first { _ in true } == 2)
    #expect(try await load.value.wrappedValue == 2)
    #expect(gate.fetches.load(ordering: .acquiring) == 1)
  }

  /// Counts the items once the gate is open.
  private final class FetchGate: FetchKeyRequest {
    /// Happens when the first fetch has begun.
    let started = Event()
    let open = DispatchSemaphore(value: 0)
    let fetches = Atomic(0)

    func fetch(_ db: Database) throws -> Int {
      fetches.add(1, ordering: .acquiringAndReleasing)
      started.happen()
      open.wait()
      defer { open.signal() }
      return try Item.fetchCount(db)
    }

    static func == (left: FetchGate, right: FetchGate) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  @Test func `a reader inside an access does not wait for a value that is being loaded`()
    async throws
  {
    let database = try await makeDatabase()
    let queue = DispatchQueue(label: "suspended")
    queue.suspend()
    let key = countKey(database, queue)
    let load = Task { try await SharedReader(require: key).wrappedValue }
    try await eventually { database.observationStatistics.runs == 1 }
    let reader = try await database.write { _ in
      let reader = SharedReader(wrappedValue: 0, key)
      #expect(reader.wrappedValue == 0)
      return reader
    }
    queue.resume()
    #expect(try await load.value == 2)
    #expect(reader.wrappedValue == 2)
  }

  @Test func `a load returns after another subscription has replaced the one that it uses`()
    async throws
  {
    let database = try await makeDatabase()
    let queue = DispatchQueue(label: "suspended")
    queue.suspend()
    defer { queue.resume() }
    let key = countKey(database, queue)
    let loading = SharedReader(value: 7)
    let first = Task { try await loading.load(key) }
    try await eventually { database.observationStatistics.runs == 1 }
    let second = Task { try await loading.load() }
    try await eventually { database.observationStatistics.runs == 2 }
    let reader = SharedReader(wrappedValue: 0, key)
    try await first.value
    try await second.value
    #expect(reader.wrappedValue == 2 && loading.wrappedValue == 2)
    #expect(!reader.isLoading)
  }

  @Test func `readers that are created on many threads have the value that their key loads`() {
    for id in 0..<100 {
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        let reader = SharedReader(wrappedValue: 0, SlowKey(id: id))
        #expect(reader.wrappedValue == 42)
      }
    }
  }

  /// A key that provides its value immediately, but not quickly.
  private struct SlowKey: SharedReaderKey {
    let id: Int

    func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
      for _ in 0..<100 { CurrentThread.yield() }
      continuation.resume(returning: 42)
    }

    func subscribe(
      context: LoadContext<Int>,
      subscriber: SharedSubscriber<Int>
    ) -> SharedSubscription {
      SharedSubscription {}
    }
  }

  @Test func `a required key without a value throws`() async throws {
    let key = ManualKey()
    let reader = Task { try await SharedReader(require: key) }
    try await key.nextContinuation().resumeReturningInitialValue()
    await #expect(throws: NoInitialValue.self) { try await reader.value }
  }
}

/// A gate that blocks the first comparison after it is closed, and counts fetches.
private final class ComparisonGate: Sendable {
  /// Happens when the comparison is blocked.
  let comparisonStarted = Event()
  private let isClosed = Atomic(false)
  private let opening = DispatchSemaphore(value: 0)
  private let fetches = Atomic(0)
  private let fetchNumbers = AsyncStream.makeStream(of: Int.self)

  func close() { isClosed.store(true, ordering: .releasing) }
  func open() { opening.signal() }

  func compare() {
    guard isClosed.exchange(false, ordering: .acquiringAndReleasing) else { return }
    comparisonStarted.happen()
    opening.wait()
  }

  var fetchCount: Int { fetches.load(ordering: .acquiring) }

  func fetch() {
    fetchNumbers.continuation.yield(fetches.add(1, ordering: .acquiringAndReleasing).newValue)
  }

  /// Waits until a fetch starts. Must be called with increasing numbers.
  func waitForFetch(_ number: Int) async throws {
    for await started in fetchNumbers.stream where started >= number { return }
    throw CancellationError()
  }
}

/// The number of items. Its comparisons pass a gate.
private struct GatedCount: Equatable, Sendable {
  let count: Int
  let gate: ComparisonGate

  static func == (left: Self, right: Self) -> Bool {
    left.gate.compare()
    return left.count == right.count
  }

  struct Request: FetchKeyRequest {
    let gate: ComparisonGate

    func fetch(_ db: Database) throws -> GatedCount {
      gate.fetch()
      return GatedCount(count: try Item.fetchCount(db), gate: gate)
    }

    static func == (left: Self, right: Self) -> Bool { left.gate === right.gate }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(gate)) }
  }
}
