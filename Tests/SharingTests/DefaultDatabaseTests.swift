import Sharing
import Testing

@Suite struct DefaultDatabaseTests {
  private static let sql = "SELECT * FROM item"

  @Test func `a key reads the database of its scope`() throws {
    let database = try makeDatabase()
    let reader = withDefaultDatabase(database) { SharedReader<[Item]>(.fetchAll(sql: Self.sql)) }
    #expect(reader.wrappedValue.count == 2)
    #expect(reader.loadError == nil)
  }

  @Test func `an async scope counts for the tasks that it starts`() async throws {
    let database = try makeDatabase()
    let count = await withDefaultDatabase(database) {
      await Task { SharedReader<[Item]>(.fetchAll(sql: Self.sql)).wrappedValue.count }.value
    }
    #expect(count == 2)
  }

  @Test func `without a database a key says what to call`() async throws {
    let reader = SharedReader<[Item]>(.fetchAll(sql: Self.sql))
    #expect(reader.wrappedValue.isEmpty)
    let error = try #require(reader.loadError as? NoDefaultDatabase)
    #expect(error.description.contains("setDefaultDatabase"))
    await #expect(throws: NoDefaultDatabase.self) { try await reader.load() }
  }
}
