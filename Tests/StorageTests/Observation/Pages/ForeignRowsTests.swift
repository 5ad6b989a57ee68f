import TestSupport
import Testing
import WellspringSystem

@testable import Storage

/// Which rows foreign commits are said to have changed, beside the rows that differ.
///
/// `make soak` makes 100,000 commits. `WELLSPRING_SEED` sets the first seed.
@Suite struct ForeignRowsTests {
  /// The first column of the text of a row, if it is a number or NULL.
  private static let condition = [
    "a": ConditionColumn(name: "v", collation: .binary),
    "b": ConditionColumn(name: "x", collation: .binary),
  ]

  /// Observes each row of the tables of ``RandomPageWriter``, and keeps the changes of commits.
  private final class Listener: CommitListener {
    let observedTables: ObservedTables
    private let changes = Lock(DatabaseChanges.none)
    private let counts = Lock(
      (rows: 0, values: 0, tables: 0, everything: 0, reasons: [PageObstacle: Int]())
    )

    init() {
      observedTables = ObservedTables(
        Dictionary(
          uniqueKeysWithValues: RandomPageWriter.tables.keys.map { table in
            let observed = ObservedTable(
              columns: .all,
              hasRowObservers: true,
              conditionColumns: ForeignRowsTests.condition[table].map { [$0] } ?? []
            )
            return (TableName(schema: "main", name: table), observed)
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
          if !table.values.isEmpty { counts.values += 1 }
        }
      }
    }

    /// Returns the changes of commits since the last call.
    func takeChanges() -> DatabaseChanges {
      changes.withLock { changes in
        defer { changes = .none }
        return changes
      }
    }

    var summary: String { counts.withLock { "\($0)" } }
    var exactCount: Int { counts.withLock { min($0.rows, 2 * $0.values) } }
  }

  @Test(arguments: Soak.seeds(250, inSuite: 2))
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
      if let missed = missed(by: listener, writers[0], &before) {
        Issue.record("seed \(seed), step \(step): \(missed), after \(steps)")
        return
      }
    }
    // Many changes are reported exactly.
    #expect(listener.exactCount > 50, "\(listener.summary)")
    cancellable.cancel()
  }

  // In any order, the connections of the watcher and of the writers are closed, and the log is
  // removed and begins again.
  @Test(arguments: Soak.seeds(100, inSuite: 1))
  func `soak: no changed row of a file that is only watched is missed`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let directory = TemporaryDirectory()
    var writers: [RandomPageWriter] = []
    func openWriters() throws {
      writers = try (0..<2).map { _ in try RandomPageWriter(path: directory.file()) }
      for writer in writers { writer.configure(&random) }
    }
    try openWriters()
    writers[0].makeTables(&random)
    let probe = WatcherProbe(watching: directory.file())
    let listener = Listener()
    let commits = OpenDatabases.commits(toFile: directory.file())
    commits.add(listener)
    probe.adopt()
    var before = RandomPageWriter.tables.keys.reduce(into: [:]) { $0[$1] = writers[0].rows($1) }
    for step in 0..<400 {
      var steps: [String] = []
      if random.chance(40) {
        probe.rest()
        steps.append("rest")
      }
      if random.chance(3) {
        writers = []
        try openWriters()
        steps.append("the writers are opened again")
      }
      for _ in 0..<(random.chance(20) ? 2 : 1) {
        steps.append(random.pick(from: writers).write(&random))
      }
      var finding = probe.look()
      while finding == .unsettled { finding = probe.look() }
      if finding == .some {
        listener.didCommit(number: CommitNumber(UInt64(step)), probe.found.changes)
      }
      if let missed = missed(by: listener, writers[0], &before) {
        Issue.record("seed \(seed), step \(step): \(missed), after \(steps)")
        return
      }
    }
    #expect(listener.exactCount > 50, "\(listener.summary)")
  }

  /// Returns which changed rows were not reported; `nil` if there are none. The rows `before`
  /// become the rows that the writer reads now.
  private func missed(
    by listener: Listener,
    _ writer: RandomPageWriter,
    _ before: inout [String: [Int64: String]]
  ) -> String? {
    let changes = listener.takeChanges()
    var missed: String?
    for table in RandomPageWriter.tables.keys {
      let after = writer.rows(table)
      let known = before[table] ?? [:]
      before[table] = after
      let changed = Set(after.keys).union(known.keys).filter { after[$0] != known[$0] }
      guard case .tables(let told) = changes, !changed.isEmpty else { continue }
      let toldOfTable = told[TableName(schema: "main", name: table)]
      for id in changed {
        guard let column = Self.condition[table], let values = toldOfTable?.values[column] else {
          break
        }
        for text in [known[id], after[id]].compactMap({ $0 }) {
          let number = Int64(text.prefix { $0 != "|" })
          let key = number.map(ValueKey.init(rowID:)) ?? .null
          guard values[key]?.ids?.contains(id) != true else { continue }
          missed = "row \(id) of \(table) has the value \(key), which is not told"
        }
      }
      let rows = toldOfTable?.rowIDs ?? .some([])
      guard let ids = rows.elements, !changed.isSubset(of: ids) else { continue }
      missed = """
        rows \(changed.subtracting(ids).sorted()) of \(table) have changed, and only \
        \(ids.sorted()) are told
        """
    }
    return missed
  }
}
