import Dispatch
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

@Suite struct ValueObservationTests {
  // MARK: The first value

  @Test func `P3: the first value is the current one, fetched once`() async throws {
    let shop = try Shop()
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    #expect(try await recorder.nextValue() == [.cup, .pot])
    #expect(shop.pool.observationStatistics.runs == 1)
    cancellable.cancel()
  }

  @Test func `P3: with the immediate scheduler the first value comes before start returns`() throws
  {
    let shop = try Shop()
    nonisolated(unsafe) var items: [Item] = []
    let cancellable = Shop.items.start(
      in: shop.pool,
      scheduling: .immediate,
      onError: { Issue.record($0) },
      onChange: { items = $0 }
    )
    #expect(items == [.cup, .pot])
    cancellable.cancel()
  }

  @Test func `P3: the first value does not wait for a running write`() async throws {
    let shop = try Shop()
    let mayEnd = DispatchSemaphore(value: 0)
    let began = AsyncStream.makeStream(of: Void.self)
    let pool = shop.pool
    let write = Task {
      try await pool.write { db in
        try db.execute(sql: "DELETE FROM item")
        began.continuation.yield()
        mayEnd.wait()
      }
    }
    for await _ in began.stream { break }
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    #expect(try await recorder.nextValue() == [.cup, .pot])
    mayEnd.signal()
    try await write.value
    #expect(try await recorder.nextValue() == [])
    cancellable.cancel()
  }

  @Test func `P3: a commit during the start of an observation is not missed`() async throws {
    let shop = try Shop()
    let pool = shop.pool
    for round in 0..<200 {
      async let write: Void = pool.write { db in
        try db.execute(sql: "UPDATE item SET price = ? WHERE id = 1", arguments: [round])
      }
      let (recorder, cancellable) = Shop.items.record(in: shop.pool)
      try await write
      let items = try await recorder.value { $0[0].price == Double(round) }
      #expect(items.count == 2)
      cancellable.cancel()
    }
  }

  // MARK: Commits and rollbacks

  @Test func `a commit is followed by a value that includes it`() async throws {
    let shop = try Shop()
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    _ = try await recorder.nextValue()
    try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 1") }
    #expect(try await recorder.nextValue() == [.pot])
    cancellable.cancel()
  }

  @Test func `P2: uncommitted changes are not shown`() async throws {
    struct Undo: Error {}
    let shop = try Shop()
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    _ = try await recorder.nextValue()
    await #expect(throws: Undo.self) {
      try await shop.pool.write { db in
        try db.execute(sql: "DELETE FROM item")
        throw Undo()
      }
    }
    try await shop.pool.write { db in
      try db.inSavepoint {
        try db.execute(sql: "UPDATE item SET name = 'undone'")
        return .rollback
      }
      try db.execute(sql: "UPDATE item SET name = 'mug' WHERE id = 1")
    }
    #expect(try await recorder.nextValue().map(\.name) == ["mug", "pot"])
    cancellable.cancel()
  }

  @Test func `P2: a failed commit shows nothing`() async throws {
    let shop = try Shop()
    try await shop.pool.write { db in
      try db.execute(
        sql: "CREATE TABLE part (item REFERENCES item DEFERRABLE INITIALLY DEFERRED, name)"
      )
    }
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    _ = try await recorder.nextValue()
    await #expect {
      try await shop.pool.write { db in
        try db.execute(sql: "DELETE FROM item; INSERT INTO part VALUES (77, 'of nothing')")
      }
    } throws: { ($0 as? DatabaseError)?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY }
    try await shop.pool.write { db in try db.execute(sql: "UPDATE item SET price = 1 WHERE id = 1")
    }
    #expect(try await recorder.nextValue().map(\.price) == [1, nil])
    cancellable.cancel()
  }

  @Test func `P2, P3: values never go back in time, and the last one is the current state`()
    async throws
  {
    let shop = try Shop()
    try await shop.pool.write { db in try db.execute(sql: "UPDATE item SET price = 0") }
    let observation = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT price FROM item WHERE id = 1") ?? -1
    }.numbered()
    let recorder = Recorder<Numbered<Int>>()
    let cancellable = observation.start(
      in: shop.pool,
      onError: { recorder.append(error: $0) },
      onChange: { recorder.append($0) }
    )
    let pool = shop.pool
    await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<100 {
            try await pool.write { db in
              try db.execute(sql: "UPDATE item SET price = price + 1 WHERE id = 1")
            }
          }
        }
      }
    }
    var last: Numbered<Int>?
    repeat {
      let next = try await recorder.nextValue()
      if let last {
        #expect(next.number > last.number)
        #expect(next.value > last.value)
      }
      // Each commit of this test increments both the number and the value.
      #expect(next.value == Int(next.number) - Int((last ?? next).number) + (last ?? next).value)
      last = next
    } while last?.value != 400
    cancellable.cancel()
  }

  @Test func `P7: queries that one commit touches show one moment`() async throws {
    let shop = try Shop()
    try await shop.pool.write { db in
      try db.execute(sql: "CREATE TABLE mirror (price); INSERT INTO mirror VALUES (0)")
      try db.execute(sql: "UPDATE item SET price = 0")
    }
    let item = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT price FROM item WHERE id = 1") ?? -1
    }.numbered()
    let mirror = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT price FROM mirror") ?? -1
    }.numbered()
    let items = Recorder<Numbered<Int>>()
    let mirrors = Recorder<Numbered<Int>>()
    let cancellables = [
      item.start(
        in: shop.pool,
        onError: { items.append(error: $0) },
        onChange: { items.append($0) }
      ),
      mirror.start(
        in: shop.pool,
        onError: { mirrors.append(error: $0) },
        onChange: { mirrors.append($0) }
      ),
    ]
    for price in 1...200 {
      try await shop.pool.write { db in
        try db.execute(sql: "UPDATE item SET price = ?", arguments: [price])
        try db.execute(sql: "UPDATE mirror SET price = ?", arguments: [price])
      }
    }
    var byNumber: [UInt64: Int] = [:]
    while true {
      let next = try await items.nextValue()
      byNumber[next.number] = next.value
      if next.value == 200 { break }
    }
    while true {
      let next = try await mirrors.nextValue()
      if let other = byNumber[next.number] { #expect(other == next.value) }
      if next.value == 200 { break }
    }
    withExtendedLifetime(cancellables) {}
  }

  // MARK: Errors

  @Test func `P8: an error is delivered once, and the observation recovers`() async throws {
    let shop = try Shop()
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    _ = try await recorder.nextValue()
    try await shop.pool.write { db in try db.execute(sql: "ALTER TABLE item RENAME TO hidden") }
    let error = try await recorder.nextError() as? DatabaseError
    #expect(error?.message == "no such table: item")
    try await shop.pool.write { db in try db.execute(sql: "CREATE TABLE other (x)") }
    try await shop.pool.write { db in try db.execute(sql: "ALTER TABLE hidden RENAME TO item") }
    #expect(try await recorder.nextValue() == [.cup, .pot])
    cancellable.cancel()
  }

  @Test func `P8: a table that does not exist yet can be observed`() async throws {
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file())
    let (recorder, cancellable) = Shop.items.record(in: pool)
    _ = try await recorder.nextError()
    try await pool.write { db in
      try db.execute(sql: Item.schema)
      try Item.cup.insert(db)
    }
    #expect(try await recorder.nextValue() == [.cup])
    cancellable.cancel()
  }

  // MARK: The region of a query

  @Test func `each run of a query may read different tables`() async throws {
    let shop = try Shop()
    try await shop.pool.write { db in
      try db.execute(sql: "CREATE TABLE choice (name); INSERT INTO choice VALUES ('item')")
      try db.execute(sql: "CREATE TABLE second (id); INSERT INTO second VALUES (1)")
    }
    let observation = ValueObservation.tracking { db -> Int in
      let table = try String.fetchOne(db, sql: "SELECT name FROM choice") ?? ""
      return try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table.quotedDatabaseIdentifier)")
        ?? 0
    }
    let (recorder, cancellable) = observation.record(in: shop.pool)
    #expect(try await recorder.nextValue() == 2)
    try await shop.pool.write { db in try db.execute(sql: "UPDATE choice SET name = 'second'") }
    #expect(try await recorder.nextValue() == 1)
    try await shop.pool.write { db in try db.execute(sql: "INSERT INTO second VALUES (2), (3)") }
    #expect(try await recorder.nextValue() == 3)
    cancellable.cancel()
  }

  // MARK: Callbacks

  @Test func `P10: the database can be used from callbacks in any way`() async throws {
    let shop = try Shop()
    let pool = shop.pool
    let recorder = Recorder<Int>()
    nonisolated(unsafe) var inner: AnyDatabaseCancellable?
    let outer = Shop.items.start(
      in: pool,
      onError: { recorder.append(error: $0) },
      onChange: { items in
        do {
          let count = try pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM item") }
          if items.count < 5 {
            try pool.write { db in
              try Item(id: Int64(items.count + 1), name: "new", price: nil).insert(db)
            }
          }
          inner?.cancel()
          inner = Shop.items.start(
            in: pool,
            scheduling: .immediate,
            onError: { _ in },
            onChange: { _ in }
          )
          recorder.append(count ?? 0)
        } catch {
          recorder.append(error: error)
        }
      }
    )
    _ = try await recorder.value { $0 == 5 }
    outer.cancel()
  }

  @Test func `a slow callback receives the newest value`() async throws {
    let shop = try Shop()
    let mayReturn = DispatchSemaphore(value: 0)
    let recorder = Recorder<Double>()
    let cancellable = ValueObservation.tracking { db in
      try Double.fetchOne(db, sql: "SELECT price FROM item WHERE id = 1") ?? 0
    }.start(
      in: shop.pool,
      onError: { recorder.append(error: $0) },
      onChange: { price in
        recorder.append(price)
        mayReturn.wait()
      }
    )
    #expect(try await recorder.nextValue() == 4)
    let (other, second) = Shop.items.record(in: shop.pool)
    for price in 10...20 {
      try await shop.pool.write { db in
        try db.execute(sql: "UPDATE item SET price = ? WHERE id = 1", arguments: [price])
      }
    }
    // The slow observer does not delay the fast one, which shows that the last value was fetched.
    _ = try await other.value { $0[0].price == 20 }
    mayReturn.signal()
    #expect(try await recorder.nextValue() == 20)
    mayReturn.signal()
    cancellable.cancel()
    second.cancel()
  }

  // MARK: The end

  @Test func `P9: cancelling and releasing end the observation`() async throws {
    let shop = try Shop()
    let (first, firstCancellable) = Shop.items.record(in: shop.pool)
    var (second, secondCancellable): (_, AnyDatabaseCancellable?) = Shop.items.record(in: shop.pool)
    _ = try await (first.nextValue(), second.nextValue())
    #expect(shop.pool.observationStatistics.live == 2)
    firstCancellable.cancel()
    #expect(shop.pool.observationStatistics.live == 1)
    secondCancellable = nil
    #expect(shop.pool.observationStatistics.live == 0)
    #expect(secondCancellable == nil)
  }

  @Test
  func `P9: a cancelled observation releases its closures and database, even while it is held`()
    async throws
  {
    final class Token: Sendable {
      let name: String
      let released: Recorder<String>
      init(_ name: String, _ released: Recorder<String>) {
        (self.name, self.released) = (name, released)
      }
      deinit { released.append(name) }
    }
    let released = Recorder<String>()
    let cancellable: AnyDatabaseCancellable
    do {
      let (callback, database) = (Token("callback", released), Token("database", released))
      var configuration = Configuration()
      configuration.prepareDatabase { _ in withExtendedLifetime(database) {} }
      let shop = try Shop(configuration)
      let values = Recorder<Int>()
      cancellable = Shop.items.start(in: shop.pool) { _ in
      } onChange: { items in
        withExtendedLifetime((callback, shop)) { values.append(items.count) }
      }
      #expect(try await values.nextValue() == 2)
      // No call is under way then.
      try await shop.pool.quiesce()
      cancellable.cancel()
    }
    #expect(
      try await Set([released.nextValue(), released.nextValue()]) == ["callback", "database"]
    )
    withExtendedLifetime(cancellable) {}
  }

  @Test func `closing the database calls onError`() async throws {
    let shop = try Shop()
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    _ = try await recorder.nextValue()
    try shop.pool.close()
    let error = try await recorder.nextError() as? DatabaseError
    #expect(error?.isDatabaseClosed == true)
    cancellable.cancel()
  }

  @Test func `an observation keeps the database open`() async throws {
    let directory = TemporaryDirectory()
    var pool: DatabasePool? = try DatabasePool(path: directory.file())
    try await pool!.write { db in try db.execute(sql: Item.schema) }
    let (recorder, cancellable) = Shop.items.record(in: pool!)
    _ = try await recorder.nextValue()
    pool = nil
    try SQLiteShell.run(directory.file(), "INSERT INTO item VALUES (1, 'cup', 4)")
    #expect(try await recorder.nextValue() == [.cup])
    cancellable.cancel()
  }

  // MARK: Sequences

  @Test func `a sequence yields the current value and the following ones`() async throws {
    let shop = try Shop()
    var counts: [Int] = []
    for try await items in Shop.items.values(in: shop.pool) {
      counts.append(items.count)
      if counts.count == 3 { break }
      try await shop.pool.write { db in
        try Item(id: Int64(items.count + 1), name: "new", price: nil).insert(db)
      }
    }
    #expect(counts == [2, 3, 4])
    #expect(shop.pool.observationStatistics.live == 0)
  }

  @Test func `P9: a sequence ends with its task`() async throws {
    let shop = try Shop()
    let pool = shop.pool
    let began = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      for try await _ in Shop.items.values(in: pool) { began.continuation.yield() }
    }
    for await _ in began.stream { break }
    task.cancel()
    try await task.value
    #expect(pool.observationStatistics.live == 0)
  }

  @Test func `P8: a sequence throws the error of its query and ends`() async throws {
    let shop = try Shop()
    var iterator = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT nothing FROM item")
    }.values(in: shop.pool).makeAsyncIterator()
    await #expect(throws: DatabaseError.self) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
    #expect(shop.pool.observationStatistics.live == 0)
  }

  @Test func `closing the database ends a sequence`() async throws {
    let shop = try Shop()
    var values = 0
    for try await _ in Shop.items.values(in: shop.pool) {
      values += 1
      try shop.pool.close()
    }
    #expect(values == 1)
  }
}
