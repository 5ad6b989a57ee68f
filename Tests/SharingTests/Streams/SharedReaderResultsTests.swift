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

  private struct Lag: Sendable {
    /// The statements whose results the loop takes.
    var taken: [String] = []
    /// The statements before the end whose results it does not take.
    var missed: [String]
    /// The number of items, or the error, that it takes after the end.
    var last: String
  }

  private static let lags = [
    Lag(missed: ["DELETE FROM item WHERE id = 1"], last: "1"),
    Lag(missed: ["ALTER TABLE item RENAME TO gone"], last: "no such table: item"),
    Lag(
      missed: ["DELETE FROM item WHERE id = 1", "ALTER TABLE item RENAME TO gone"],
      last: "no such table: item"
    ),
    Lag(
      taken: ["ALTER TABLE item RENAME TO gone"],
      missed: ["ALTER TABLE gone RENAME TO item"],
      last: "2"
    ),
  ]

  @Test(arguments: lags.indices)
  func `a loop that is behind takes the last result before the end`(_ index: Int) async throws {
    let lag = Self.lags[index]
    let database = try await makeDatabase()
    let reader = SharedReader(.items(in: database))
    var results = reader.results.makeAsyncIterator()
    #expect(try await results.next()?.get().count == 2)
    for statement in lag.taken {
      try await database.run(statement)
      _ = await results.next()
    }
    for statement in lag.missed {
      try await database.run(statement)
      try await database.quiesce()
    }
    try await close(database, of: reader)
    let last =
      switch await results.next() {
      case .success(let items)?: "\(items.count)"
      case .failure(let error)?: (error as? DatabaseError)?.message
      case nil: "nothing"
      }
    #expect(last == lag.last)
    #expect(await results.next() == nil)
  }

  @Test func `a loop that begins after the end takes the final error`() async throws {
    let database = try await makeDatabase()
    let reader = SharedReader(.items(in: database))
    try await close(database, of: reader)
    var results = reader.results.makeAsyncIterator()
    await #expect(throws: DatabaseError.self) { try await results.next()?.get() }
    #expect(await results.next() == nil)
  }

  /// Closes a database, and waits until its reader has the final error.
  private func close(_ database: DatabaseQueue, of reader: SharedReader<[Item]>) async throws {
    try database.close()
    try await eventually { (reader.loadError as? DatabaseError)?.isDatabaseClosed == true }
  }
}
