import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// Random tables, rows and trees of associations, compared with graphs that are made from the rows.
@Suite struct RandomAssociationTests {
  @Test(arguments: 1...Soak.size(5_000, inSuite: 25))
  func `soak: a fetched graph equals one that is made by hand, with a statement for each level`(
    seed: Int
  ) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let tables = RandomTables(using: &random)
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db in
      try tables.create(db)
      for _ in 0..<5 {
        var names = 0
        let tree = RandomAssociationTree(
          table: random.number(in: 0..<tables.tables.count),
          depth: 3,
          in: tables,
          names: &names,
          using: &random
        )
        // The first request reads the schema.
        _ = try tree.rows(db)
        var rows: [Row] = []
        let statements = try tracedStatements(db) { rows = try tree.rows(db) }
          .filter { !$0.hasPrefix("PRAGMA") }
        #expect(statements.count <= tree.statementCount, "\(statements)")
        let graphs = rows.map { AssociationGraph($0, tree) }
        let expected = tables.graphs(tree)
        #expect(graphs == expected, "seed \(seed): \(statements)")
        guard graphs == expected else { return }
      }
    }
  }
}
