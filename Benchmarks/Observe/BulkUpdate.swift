internal import Storage

/// The cost of an observation for a write that changes many rows of the observed table.
enum BulkUpdate {
  private static let rowCount = 10_000

  static let benchmarks = [
    Benchmark(
      .observe,
      "Update 10,000 rows with one observer of the table (C: ours, with none)",
      limit: 1.3
    ) { workspace in
      try contest(in: workspace, "UPDATE number SET value = value + 1")
    },
    Benchmark(
      .observe,
      "Insert 1,000,000 rows with one observer of the table (C: ours, with none)",
      limit: 1.1
    ) { workspace in
      try contest(in: workspace, Numbers.insertion(count: 1_000_000), after: "DELETE FROM number")
    },
  ]

  private static func contest(
    in workspace: Workspace,
    _ sql: String,
    after preparation: String? = nil
  ) throws -> Contest {
    let create: (RawConnection) throws -> Void = {
      try $0.execute(Numbers.creation(count: rowCount))
    }
    let observed = try DatabasePool(benchmarking: workspace.makeDatabase("observed", fill: create))
    let quiet = try DatabasePool(benchmarking: workspace.makeDatabase("quiet", fill: create))
    let observation = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT value FROM number LIMIT 1") ?? 0
    }
    let cancellable = observation.start(
      in: observed,
      scheduling: .immediate,
      onError: { fatalError("The observation failed: \($0)") },
      onChange: { _ in }
    )
    return Contest(
      ours: side(observed, sql, after: preparation, keeping: cancellable),
      baseline: side(quiet, sql, after: preparation, keeping: nil)
    )
  }

  private static func side(
    _ pool: DatabasePool,
    _ sql: String,
    after preparation: String?,
    keeping observation: AnyDatabaseCancellable?
  ) -> Side {
    Side(
      setUp: {
        if let preparation { try pool.write { try $0.execute(sql: preparation) } }
        try pool.quiesce()
        try pool.emptyWAL()
      },
      work: { try pool.write { try $0.execute(sql: sql) } },
      checksum: {
        // The fetch of the observation belongs neither to this write nor to the other side's.
        try pool.quiesce()
        return try withExtendedLifetime(observation) {
          try pool.read { try Int.fetchOne($0, sql: Numbers.sum) ?? 0 }
        }
      }
    )
  }
}
