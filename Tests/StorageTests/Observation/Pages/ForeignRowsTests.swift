import TestSupport
import Testing
import WellspringPlatform

@testable import Storage

/// Which rows foreign commits are said to have changed, beside those that differ.
///
/// `make soak` makes 100,000 commits. `WELLSPRING_SEED` sets the first seed.
@Suite struct ForeignRowsTests {
  /// Observes each row of the tables of ``RandomPageWriter``, and keeps what commits change.
  private final class Listener: CommitListener {
    let observedTables: ObservedTables
    private let changes = Lock(DatabaseChanges.none)
    private let counts = Lock((rows: 0, tables: 0, everything: 0, reasons: [PageObstacle: Int]()))

    init() {
      let observed = ObservedTable(columns: .all, hasRowObservers: true)
      observedTables = ObservedTables(
        Dictionary(
          uniqueKeysWithValues: RandomPageWriter.tables.keys.map {
            (TableName(schema: "main", name: $0), observed)
          }
        ),
        includesFullDatabase: false
      )
    }

    func didCommit(number: CommitNumber, _ changes: CommittedChanges) {
      self.changes.withLock { $0.formUnion(changes.observed) }
      counts.withLock { counts in
        guard case .tables(let tables) = changes.observed else {
          counts.everything += 1
          if let reason = changes.obstacle { counts.reasons[reason, default: 0] += 1 }
          return
        }
        for table in tables.values {
          if table.rowIDs.isAll { counts.tables += 1 } else { counts.rows += 1 }
        }
      }
    }

    /// Returns what commits have changed since the last call.
    func takeChanges() -> DatabaseChanges {
      changes.withLock { changes in
        defer { changes = .none }
        return changes
      }
    }

    var summary: String { counts.withLock { "\($0)" } }
    var exactCount: Int { counts.withLock { $0.rows } }
  }

  @Test(arguments: Soak.seeds(250, inSuite: 4))
  func `soak: no changed row is missed`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let directory = TemporaryDirectory()
    let writers = try (0..<2).map { index in
      try RandomPageWriter(
        path: directory.file(),
        hasLargeSectors: index == 1 && seed.isMultiple(of: 2)
      )
    }
    writers[0].makeTables(&random)
    for writer in writers { writer.configure(&random) }
    let pool = try DatabasePool(path: directory.file())
    let cancellable = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM other")
    }.start(in: pool, onError: { Issue.record($0) }, onChange: { _ in })
    let listener = Listener()
    pool.core.broker.commits.add(listener)
    _ = pool.core.broker.commits.observedTablesDidGrow()
    try await pool.quiesce()
    var before = RandomPageWriter.tables.keys.reduce(into: [:]) { $0[$1] = writers[0].rows($1) }
    _ = listener.takeChanges()
    for step in 0..<400 {
      var steps: [String] = []
      for _ in 0..<(random.chance(20) ? 2 : 1) {
        if random.chance(15) {
          let sql = RandomPageWriter.statement(&random)
          try? await pool.write { db in try db.execute(sql: sql) }
          steps.append("own: \(sql)")
        } else {
          steps.append(random.pick(from: writers).write(&random))
        }
      }
      try await pool.quiesce()
      let changes = listener.takeChanges()
      for table in RandomPageWriter.tables.keys {
        let after = writers[0].rows(table)
        let known = before[table] ?? [:]
        before[table] = after
        let changed = Set(after.keys).union(known.keys).filter { after[$0] != known[$0] }
        guard case .tables(let told) = changes, !changed.isEmpty else { continue }
        let rows = told[TableName(schema: "main", name: table)]?.rowIDs ?? .some([])
        guard let ids = rows.elements, !changed.isSubset(of: ids) else { continue }
        Issue.record(
          """
          seed \(seed), step \(step): rows \(changed.subtracting(ids).sorted()) of \(table) have \
          changed, and only \(ids.sorted()) are told, after \(steps.joined(separator: "\n"))
          """
        )
        return
      }
    }
    // Many of them are told exactly.
    #expect(listener.exactCount > 50, "\(listener.summary)")
    cancellable.cancel()
  }
}
