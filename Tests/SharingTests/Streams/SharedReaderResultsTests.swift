import Sharing
import Testing
import TestSupport

@Suite(.patient) struct SharedReaderResultsTests {
  @Test func `P8: results include errors, and continue after them`() async throws {
    let database = try await makeDatabase()
    @SharedReader(.items(in: database)) var items
    var results = $items.results.makeAsyncIterator()
    #expect(try await results.next()?.get().count == 2)
    try await database.run("ALTER TABLE item RENAME TO gone")
    await #expect(throws: DatabaseError.self) { try await results.next()?.get() }
    // The same error is not delivered twice.
    try await database.run("CREATE TABLE unrelated (id INTEGER)")
    try await database.quiesce()
    try await database.run("ALTER TABLE gone RENAME TO item")
    #expect(try await results.next()?.get().count == 2)
    try database.close()
    #expect(await results.next() == nil)
  }
}
