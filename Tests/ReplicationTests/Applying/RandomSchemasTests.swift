import Recording
import Storage
import Testing
import TestSupport

@testable import Replication

/// Random migrations among writes, on random schemas.
@Suite struct RandomSchemasTests {
  private static func check(seed: UInt64, transactions: Int) throws -> (repeated: Int, refused: Int)
  {
    var schema = RandomSchema(seed: seed)
    let pair = try RecordedPair(schema.schema())
    var counts = (repeated: 0, refused: 0)
    for _ in 0..<transactions {
      var log: [String] = []
      let isPlain = schema.random.chance(25)
      let ending = schema.random.chance(20) ? "ROLLBACK" : "COMMIT"
      try pair.primary.writeWithoutTransaction { db in
        if !isPlain { try db.execute(sql: "BEGIN") }
        for _ in 0...schema.random.number(below: 12) {
          let sql = schema.statement(for: try RandomSchema.tables(db))
          log.append(sql)
          do {
            try db.execute(sql: sql)
          } catch {
            log[log.count - 1] += " -- \(error)"
          }
        }
        if db.isInsideTransaction {
          // A deferred foreign key can refuse it.
          do { try db.execute(sql: ending) } catch { try db.rollback() }
        }
      }
      let before = pair.newCount
      let items = pair.transactions.suffix(before).map(\.items)
      if let reason = pair.snapshotReason {
        counts.refused += 1
        #expect(isNamed(reason), "seed \(seed): after\n\(log.joined(separator: "\n"))")
        try pair.copyAll()
      } else {
        counts.repeated += before
        do {
          try pair.repeatAll()
        } catch {
          Issue.record("seed \(seed): \(error) after\n\(log.joined(separator: "\n"))")
          return counts
        }
      }
      let contents = try [pair.primary, pair.replica].map { try $0.read(DatabaseContent.init) }
      let differences = contents[0].differences(from: contents[1])
      guard differences.isEmpty else {
        Issue.record(
          """
          seed \(seed), plain: \(isPlain), \(ending): \(differences) after
          \(log.joined(separator: "\n"))
          \(items)
          """
        )
        return counts
      }
    }
    return counts
  }

  /// Whether a transaction was refused for a reason that this library documents.
  static func isNamed(_ reason: String) -> Bool {
    [
      "has a virtual generated column before its key", "no name is left for the row id",
      "the virtual table", "the key of the table", "SQLite does not give the key of a row",
    ].contains { reason.contains($0) }
  }

  /// Seeds that have noticed something before.
  private static let noticed: [UInt64] = [
    100, 124, 274, 345, 543, 670, 709, 1257, 170, 311, 1169, 1641,
  ]

  @Test(arguments: noticed + Soak.seeds(2000, inSuite: 2))
  func `soak: random schemas and migrations give an equal copy`(seed: UInt64) throws {
    let counts = try Self.check(seed: seed, transactions: 40)
    #expect(counts.repeated > 5, "\(counts)")
  }
}
