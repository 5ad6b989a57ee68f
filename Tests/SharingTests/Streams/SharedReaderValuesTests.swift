import Sharing
import Testing
import TestSupport

@Suite(.patient) struct SharedReaderValuesTests {
  @Test func `values start with the current one and follow commits`() async throws {
    let database = try await makeDatabase()
    @SharedReader(.items(in: database)) var items
    var names: [[String]] = []
    for await items in $items.values {
      names.append(items.map(\.name))
      if names.count == 2 { break }
      try await database.write { db in try Item(id: 3, name: "mug").insert(db) }
    }
    #expect(names == [["cup", "pot"], ["cup", "pot", "mug"]])
    #expect(items.count == 3)
  }

  @Test func `a slow loop gets the newest value`() async throws {
    let database = try await makeDatabase()
    @SharedReader(.items(in: database)) var items
    var values = $items.values.makeAsyncIterator()
    #expect(await values.next()?.count == 2)
    for id in 3...9 {
      try await database.write { db in try Item(id: Int64(id), name: "mug").insert(db) }
      try await database.quiesce()
    }
    #expect(await values.next()?.count == 9)
  }

  @Test func `each of several loops over one sequence gets all values`() async throws {
    let database = try await makeDatabase()
    let sequence = SharedReader(.items(in: database)).values
    var first = sequence.makeAsyncIterator()
    var second = sequence.makeAsyncIterator()
    #expect(await first.next()?.count == 2)
    #expect(await second.next()?.count == 2)
    try await database.run("DELETE FROM item WHERE id = 1")
    #expect(await first.next()?.count == 1)
    #expect(await second.next()?.count == 1)
  }

  @MainActor @Test func `a loop stays on its actor`() async throws {
    let database = try await makeDatabase()
    for await items in SharedReader(.items(in: database)).values {
      MainActor.assertIsolated()
      #expect(items.count == 2)
      break
    }
  }

  @Test func `values skip errors, and an equal value after an error`() async throws {
    let database = try await makeDatabase()
    @SharedReader(.items(in: database)) var items
    var values = $items.values.makeAsyncIterator()
    #expect(await values.next()?.count == 2)
    try await database.run("ALTER TABLE item RENAME TO gone")
    try await database.quiesce()
    try await database.run("ALTER TABLE gone RENAME TO item")
    try await database.quiesce()
    try await database.run("DELETE FROM item WHERE id = 1")
    #expect(await values.next()?.count == 1)
  }

  @Test func `a loop takes the value of a derived reader again after the value of a key`()
    async throws
  {
    let database = try await makeDatabase()
    @SharedReader(.items(in: database)) var items
    let shown = $items.count
    var values = shown.values.makeAsyncIterator()
    #expect(await values.next() == 2)
    try await shown.load(.fetchCount(Item.filter(key: 1), database: database))
    #expect(await values.next() == 1)
    shown.projectedValue = $items.count
    #expect(await values.next() == 2)
  }

  @Test func `a loop over a constant waits for a key`() async throws {
    let database = try await makeDatabase()
    let reader = SharedReader<[Item]>(value: [])
    let loop = Task { await reader.values.first { !$0.isEmpty }?.count }
    try await reader.load(.items(in: database))
    #expect(await loop.value == 2)
  }
}
