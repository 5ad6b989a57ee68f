import Storage
import Testing

@testable import StorageTestSupport

@Suite struct DatabaseSchemaCacheClearingTests {
  @Test func `a cleared cache of the schema is filled again`() throws {
    try withDatabase { db in
      let columns = try db.columns(in: "item").map(\.name)
      let statement = try db.cachedStatement(sql: "SELECT count(*) FROM item")
      db.clearSchemaCache()
      #expect(try db.columns(in: "item").map(\.name) == columns)
      #expect(try Int.fetchOne(statement) == 0)
    }
  }
}
