import Observation
import Sharing
import SharingTestSupport
import Synchronization
import Testing
import TestSupport

@Suite(.patient) struct SharedMomentsTests {
  @Test func `P7: each tuple shows one moment, and follows a change of any reader`()
    async throws
  {
    let database = try await makeDatabase()
    @SharedReader(.items(in: database)) var items
    @SharedReader(.fetchCount(Item.all(), database: database)) var count = 0
    var tuples = values(of: $items, $count, $items.first).makeAsyncIterator()
    var (seenItems, seenCount, first) = try #require(try await tuples.next())
    #expect(seenItems.count == seenCount && first?.id == 1)
    try await database.run("UPDATE item SET name = 'tub' WHERE id = 1")
    (seenItems, seenCount, first) = try #require(try await tuples.next())
    #expect(seenItems.count == 2 && seenCount == 2 && first?.name == "tub")
    try await database.run("DELETE FROM item WHERE id = 1")
    (seenItems, seenCount, first) = try #require(try await tuples.next())
    #expect(seenItems.count == 1 && seenCount == 1 && first?.id == 2)
    try database.close()
    #expect(try await tuples.next() == nil)
  }

  @Test func `a query of several tuples runs once for a commit`() async throws {
    let database = try await makeDatabase()
    @SharedReader(.items(in: database)) var items
    @SharedReader(.fetchCount(Item.all(), database: database)) var count = 0
    var first = values(of: $items, $count).makeAsyncIterator()
    var second = values(of: $items, $count).makeAsyncIterator()
    #expect(try await first.next()?.1 == 2)
    #expect(try await second.next()?.1 == 2)
    // One observation of each reader, and one of the tuples of both loops.
    #expect(database.observationStatistics.live == 3)
    let fetches = database.observationStatistics.runs
    try await database.run("DELETE FROM item WHERE id = 1")
    #expect(try await first.next()?.1 == 1)
    #expect(try await second.next()?.1 == 1)
    try await database.quiesce()
    #expect(items.count == 1 && count == 1)
    #expect(database.observationStatistics.runs == fetches + 3)
  }

  @Test func `constants belong to every moment`() async throws {
    let database = try await makeDatabase()
    @SharedReader(.items(in: database)) var items
    var tuples = values(of: $items, SharedReader(value: 7)).makeAsyncIterator()
    let tuple = try await tuples.next()
    #expect(tuple?.0.count == 2 && tuple?.1 == 7)
    var constants = values(of: SharedReader(value: 1), SharedReader(value: 2)).makeAsyncIterator()
    #expect(try await constants.next()! == (1, 2))
  }

  @Test func `readers of different databases have no moment in common`() async throws {
    let first = SharedReader(.items(in: try await makeDatabase()))
    let second = SharedReader(.items(in: try await makeDatabase()))
    await #expect(throws: NoCommonMoment.differentDatabases) {
      for try await _ in values(of: first, second) {}
    }
    let manual = SharedReader(wrappedValue: 0, ManualKey(answer: 1))
    await #expect(throws: NoCommonMoment.notFetched) {
      for try await _ in values(of: first, manual) {}
    }
  }

  @Test func `tuples follow a reader that switches to another key`() async throws {
    let database = try await makeDatabase()
    let items = SharedReader<[Item]>(value: [])
    @SharedReader(.fetchCount(Item.all(), database: database)) var count = 0
    var tuples = values(of: items, $count).makeAsyncIterator()
    #expect(try await tuples.next()?.0.isEmpty == true)
    try await items.load(.items(in: database))
    #expect(try await tuples.next()?.0.count == 2)
    await #expect(throws: NoCommonMoment.self) {
      try await items.load(.items(in: try await makeDatabase()))
      _ = try await tuples.next()
    }
  }

  @Test func `there is no tuple while a query fails`() async throws {
    let database = try await makeDatabase()
    try await database.run("CREATE TABLE other (id INTEGER)")
    @SharedReader(.items(in: database)) var items
    @SharedReader(.fetchOne(sql: "SELECT count(*) FROM other", database: database)) var count = 0
    var tuples = values(of: $items, $count).makeAsyncIterator()
    #expect(try await tuples.next()?.1 == 0)
    try await database.run("DROP TABLE other")
    try await database.run("DELETE FROM item WHERE id = 1")
    try await database.quiesce()
    try await database.run("CREATE TABLE other AS SELECT 1 AS id")
    let tuple = try await tuples.next()
    #expect(tuple?.0.count == 1 && tuple?.1 == 1)
  }

  @Test func `soak: transfers between two tables never show a wrong sum`() async throws {
    let transfers = Soak.size(100_000, inSuite: 2000)
    let bank = try TemporaryPool(
      schema: """
        CREATE TABLE checking (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL);
        CREATE TABLE savings (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL);
        INSERT INTO checking VALUES (1, 500), (2, 500);
        INSERT INTO savings VALUES (1, 500), (2, 500);
        """
    )
    let checking = SharedReader<Int>(
      wrappedValue: 0,
      .fetchOne(sql: "SELECT sum(balance) FROM checking", database: bank.pool)
    )
    let savings = SharedReader<Int>(
      wrappedValue: 0,
      .fetchOne(sql: "SELECT sum(balance) FROM savings", database: bank.pool)
    )
    /// The last transfer moves more money than there is.
    let mark = 1_000_000

    let moments = Task {
      var count = 0
      for try await (checking, savings) in values(of: checking, savings) {
        try #require(checking + savings == 2000)
        count += 1
        if savings > mark / 2 { break }
      }
      return count
    }
    let observations = Task {
      var last = (0, 0)
      for await now in Observations({ (checking.wrappedValue, savings.wrappedValue) }) {
        last = now
        if last.0 + last.1 == 2000, last.1 > mark / 2 { break }
      }
      return last
    }
    try await withThrowingTaskGroup { group in
      for writer in 1...4 {
        group.addTask {
          for number in 0..<(transfers / 4) {
            let amount = (number * 7 + writer) % 23 - 11
            try await bank.pool.write { db in
              try db.execute(
                literal:
                  "UPDATE checking SET balance = balance - \(amount) WHERE id = \(number % 2 + 1)"
              )
              try db.execute(
                literal:
                  "UPDATE savings SET balance = balance + \(amount) WHERE id = \(writer % 2 + 1)"
              )
            }
          }
        }
      }
      try await group.waitForAll()
    }
    try await bank.pool.write { db in
      try db.execute(literal: "UPDATE checking SET balance = balance - \(mark) WHERE id = 1")
      try db.execute(literal: "UPDATE savings SET balance = balance + \(mark) WHERE id = 1")
    }
    #expect(try await moments.value > 1)
    let (lastChecking, lastSavings) = await observations.value
    #expect(lastChecking + lastSavings == 2000)
  }
}
