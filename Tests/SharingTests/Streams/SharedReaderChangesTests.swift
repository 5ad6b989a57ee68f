import Sharing
import Testing

@Suite(.timeLimit(.minutes(5))) struct SharedReaderChangesTests {
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
}
