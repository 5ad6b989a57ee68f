import Sharing
import Testing
import TestSupport

@Suite(.patient) struct SharedReaderDerivedTests {
  @Test func `A-120: readers of members and of closures follow their base`() async throws {
    let database = try await makeDatabase()
    @SharedReader(.items(in: database)) var items
    let count = $items.count
    let names = $items.read { $0.map(\.name) }
    let first = $items.first
    #expect(count.wrappedValue == 2)
    #expect(names.wrappedValue == ["cup", "pot"])
    #expect(first.wrappedValue?.name == "cup")
    try await database.run("DELETE FROM item WHERE id = 1")
    try await database.quiesce()
    #expect(count.wrappedValue == 1)
    #expect(names.wrappedValue == ["pot"])
    try await database.run("DROP TABLE item")
    try await database.quiesce()
    #expect(count.loadError != nil)
    #expect(count.wrappedValue == 1)
    await #expect(throws: DatabaseError.self) { try await count.load() }
  }

  @Test func `a loop over a member skips equal values`() async throws {
    let database = try await makeDatabase()
    @SharedReader(.items(in: database)) var items
    var counts = $items.count.values.makeAsyncIterator()
    #expect(await counts.next() == 2)
    try await database.run("UPDATE item SET name = 'tub' WHERE id = 1")
    try await database.quiesce()
    try await database.run("DELETE FROM item WHERE id = 1")
    #expect(await counts.next() == 1)
  }

  @Test func `a derived reader follows the key that its base shows`() async throws {
    let database = try await makeDatabase()
    @SharedReader(value: []) var items: [Item]
    let count = $items.count
    var counts = count.values.makeAsyncIterator()
    #expect(await counts.next() == 0)
    try await $items.load(.items(in: database))
    #expect(count.wrappedValue == 2)
    #expect(await counts.next() == 2)
  }

  @Test func `a reader of an optional can be unwrapped, and keeps the last value`() async throws {
    let database = try await makeDatabase()
    @SharedReader(.fetchOne(Item.filter(key: 1), database: database)) var item
    @SharedReader(.fetchOne(Item.filter(key: 9), database: database)) var none
    #expect(SharedReader($none) == nil)
    let unwrapped = try #require(SharedReader($item))
    #expect(unwrapped.wrappedValue.name == "cup")
    #expect(unwrapped.name.wrappedValue == "cup")
    try await database.run("UPDATE item SET name = 'mug' WHERE id = 1")
    try await database.quiesce()
    #expect(unwrapped.wrappedValue.name == "mug")
    try await database.run("DELETE FROM item")
    try await database.quiesce()
    #expect(item == nil)
    #expect(unwrapped.wrappedValue.name == "mug")
  }
}
