import Sharing
import Testing

@Suite struct DefaultDatabaseTests {
  private static let sql = "SELECT * FROM item"

  @Test("SHR-09: a key reads the database of its scope") func scope() throws {
    let database = try makeDatabase()
    let reader = withDefaultDatabase(database) { SharedReader<[Item]>(.fetchAll(sql: Self.sql)) }
    #expect(reader.wrappedValue.count == 2)
    #expect(reader.loadError == nil)
  }

  @Test func `a key keeps the database that was the default when it was made`() throws {
    let first = try makeDatabase()
    let second = try DatabaseQueue()
    let key = withDefaultDatabase(first) { FetchKey<[Item]>.fetchAll(sql: Self.sql) }
    withDefaultDatabase(second) {
      #expect(SharedReader(key).wrappedValue.count == 2)
      #expect(defaultDatabase === second)
    }
  }

  @Test func `an async scope counts for the tasks that it starts`() async throws {
    let database = try await makeDatabase()
    let count = await withDefaultDatabase(database) {
      await Task { SharedReader<[Item]>(.fetchAll(sql: Self.sql)).wrappedValue.count }.value
    }
    #expect(count == 2)
  }

  @Test("A-135: without a database a key says what to call") func noDatabase() async throws {
    let reader = SharedReader<[Item]>(.fetchAll(sql: Self.sql))
    #expect(reader.wrappedValue.isEmpty)
    let error = try #require(reader.loadError as? NoDefaultDatabase)
    #expect(error.description.contains("setDefaultDatabase"))
    await #expect(throws: NoDefaultDatabase.self) { try await reader.load() }
  }
}
