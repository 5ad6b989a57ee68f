import Storage
import Testing

@testable import StorageTestSupport

@Suite struct DatabaseFullTextMaintenanceTests {
  @Test(arguments: ["fts3", "fts4", "fts5"])
  func `FTS-19: tables created in SQL are optimized, rebuilt and checked`(_ module: String) throws {
    try withDatabase { db throws in
      try db.execute(sql: "CREATE VIRTUAL TABLE \"my mail\" USING \(module)(subject)")
      try db.execute(sql: "INSERT INTO \"my mail\" VALUES ('one')")
      let name = #""my mail""#
      try db.optimize(fullTextTable: "my mail")
      if module == "fts5" {
        try expectSQL(db, "INSERT INTO \(name) (\(name)) VALUES ('optimize')") {
          try db.optimize(fullTextTable: "my mail")
        }
      }
      try db.rebuild(fullTextTable: "my mail")
      try db.checkIntegrity(ofFullTextTable: "my mail")
    }
  }
}
