import Sharing
import Synchronization
import Testing
import TestSupport

@Suite(.patient) struct SharedReaderChangesTests {
  @Test func `applying the changes to an array keeps it up to date`() async throws {
    let database = try await makeDatabase()
    @SharedReader(.items(in: database)) var items
    var changes = $items.changes().makeAsyncIterator()
    var copy: [Item] = []
    let first = try #require(await changes.next())
    #expect(first.inserted.map(\.element.id) == [1, 2])
    first.apply(to: &copy)
    #expect(copy == items)
    try await database.run("UPDATE item SET name = 'tub' WHERE id = 2")
    try await database.run("DELETE FROM item WHERE id = 1")
    try await database.quiesce()
    let second = try #require(await changes.next())
    #expect(second.removed.map(\.element.id) == [1])
    #expect(second.updated.map(\.newElement.name) == ["tub"])
    second.apply(to: &copy)
    #expect(copy == items)
    var byName = $items.changes(id: \.name).makeAsyncIterator()
    #expect(await byName.next()?.inserted.count == 1)
  }

  @Test func `changes follow a reader from a derived value to a key and back`() async throws {
    let database = try await makeDatabase()
    @SharedReader(.items(in: database)) var items
    let derived = $items.read { $0 }
    let shown = SharedReader(value: [] as [Item])
    shown.projectedValue = derived
    var changes = shown.changes().makeAsyncIterator()
    #expect(await changes.next()?.inserted.map(\.element.id) == [1, 2])
    try await shown.load(.fetchAll(Item.filter(key: 1), database: database))
    #expect(await changes.next()?.removed.map(\.element.id) == [2])
    shown.projectedValue = derived
    #expect(await changes.next()?.inserted.map(\.element.id) == [2])
  }

  /// An element that counts its comparisons.
  private struct Counted: Equatable, Sendable, FetchableRecord {
    static let comparisons = Atomic(0)
    let id: Int64
    let name: String

    init(row: Row) {
      id = row["id"]
      name = row["name"]
    }

    static func == (left: Counted, right: Counted) -> Bool {
      comparisons.add(1, ordering: .relaxed)
      return left.id == right.id && left.name == right.name
    }
  }

  @Test func `the elements of a patched array are not compared`() async throws {
    let count = 20_000
    let database = try await makeDatabase()
    try await database.write { db in
      let rows = "WITH n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))"
      try db.execute(sql: "\(rows) INSERT INTO item SELECT i, 'item ' || i FROM n")
    }
    let key = FetchKey<[Counted]>.fetchAll(sql: "SELECT * FROM item", database: database)
    @SharedReader(key) var items = []
    var iterator = $items.changes(id: \.id).makeAsyncIterator()
    #expect(await iterator.next()?.inserted.count == count)
    // The result of the second run is kept for patches.
    try await database.run("UPDATE item SET name = 'second' WHERE id = 4")
    #expect(await iterator.next()?.updated.count == 1)
    let before = Counted.comparisons.load(ordering: .relaxed)
    for id in 0..<4 {
      try await database.run("UPDATE item SET name = 'new' WHERE id = \(1000 + id)")
      #expect(await iterator.next()?.updated.map(\.newElement.id) == [Int64(1000 + id)])
    }
    #expect(database.observationStatistics.patches == 4)
    #expect(Counted.comparisons.load(ordering: .relaxed) - before < 40)
  }
}
