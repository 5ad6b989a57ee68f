import Foundation
import Sharing
import Testing

@Suite struct DefaultDatabaseTests {
  private static let sql = "SELECT * FROM item"

  @Test func `SHR-09: a key reads the database of its scope`() throws {
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

  @Test func `an async scope includes the tasks that it starts`() async throws {
    let database = try await makeDatabase()
    let count = await withDefaultDatabase(database) {
      await Task { SharedReader<[Item]>(.fetchAll(sql: Self.sql)).wrappedValue.count }.value
    }
    #expect(count == 2)
  }

  @Test func `A-135: the error of a key without a database says what to call`() async throws {
    let reader = SharedReader<[Item]>(.fetchAll(sql: Self.sql))
    #expect(reader.wrappedValue.isEmpty)
    let error = try #require(reader.loadError as? NoDefaultDatabase)
    #expect(error.description.contains("setDefaultDatabase"))
    await #expect(throws: NoDefaultDatabase.self) { try await reader.load() }
  }

  // This test needs its own process, because it sets the default database of the process.
  @Test func `keys read the default database of the process`() async {
    await #expect(processExitsWith: .success) {
      let database = try await makeDatabase()
      setDefaultDatabase(database)
      @SharedReader(.fetchOne(sql: "SELECT count(*) FROM item")) var count = 0
      #expect(count == 2)
      exit($count.loadError == nil && count == 2 ? 0 : 1)
    }
  }
}
