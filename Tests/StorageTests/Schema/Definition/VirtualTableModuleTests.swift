import Storage
import Testing

@testable import StorageTestSupport

@Suite struct VirtualTableModuleTests {
  /// A module whose tables are defined by the names of their columns.
  struct Areas: VirtualTableModule {
    final class TableDefinition {
      var columns: [String] = []
      var fails = false
    }

    struct Failure: Error {}

    let moduleName = "rtree"

    func makeTableDefinition(configuration: VirtualTableConfiguration) -> TableDefinition {
      TableDefinition()
    }

    func moduleArguments(for definition: TableDefinition, in db: Database) -> [String] {
      definition.columns
    }

    func database(
      _ db: Database,
      didCreate tableName: String,
      using definition: TableDefinition
    ) throws {
      if definition.fails { throw Failure() }
    }
  }

  @Test(arguments: [
    SchemaCase(
      "a virtual table",
      #"CREATE VIRTUAL TABLE IF NOT EXISTS "area" USING rtree(id, minX, maxX)"#
    ) { db in
      try db.create(virtualTable: "area", options: .ifNotExists, using: "rtree(id, minX, maxX)")
    },
    SchemaCase(
      "a virtual table of a module",
      #"CREATE VIRTUAL TABLE "area" USING rtree(id, minX, maxX)"#
    ) { db in
      try db.create(virtualTable: "area", using: Areas()) { t in
        t.columns = ["id", "minX", "maxX"]
      }
    },
  ])
  func `each virtual table definition runs the expected SQL`(_ table: SchemaCase) throws {
    try withParents { db in
      let statements = try tracedStatements(db) { try table.change(db) }
      #expect(statements.filter { $0.hasPrefix("CREATE VIRTUAL") } == table.statements)
      try #expect(db.columns(in: "area").map(\.name) == ["id", "minX", "maxX"])
    }
  }

  @Test func `no table is created when its module throws`() throws {
    try withParents { db in
      #expect(throws: Areas.Failure.self) { () throws in
        try db.create(virtualTable: "area", using: Areas()) { t in
          t.columns = ["id", "minX", "maxX"]
          t.fails = true
        }
      }
      try #expect(!db.tableExists("area"))
    }
  }
}
