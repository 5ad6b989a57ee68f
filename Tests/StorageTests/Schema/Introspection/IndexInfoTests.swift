import Storage
import Testing

@testable import StorageTestSupport

@Suite struct IndexInfoTests {
  @Test func `an index on expressions has terms, but no columns that stand for it`() throws {
    try withParents { db in
      try db.execute(
        sql: """
          CREATE UNIQUE INDEX folded ON users(name, lower(email));
          CREATE INDEX both ON users(name, email DESC);
          """
      )
      let indexes = try db.indexes(on: "users")
      let folded = try #require(indexes.first { $0.name == "folded" })
      #expect(folded.columns == [])
      #expect(folded.terms.map(\.column) == ["name", nil])
      #expect(indexes.first { $0.name == "both" }?.columns == ["name", "email"])
      try #expect(!db.table("users", hasUniqueKey: ["name"]))
    }
  }
}
