internal import CWellspringSQLite
internal import Storage

/// The cost of a start: until a database is open, until the first value of a query, and until the
/// first value of an observation.
///
/// The file exists, and has a schema and a WAL. Both sides open and close it each time.
enum Opening {
  private static let openings = 50

  static let benchmarks = [
    Benchmark(
      .start,
      "Open a database, and close it (C: a connection)",
      operations: openings,
      limit: 4
    ) { workspace in
      try contest(in: workspace, ours: { _ in 1 }, baseline: { _ in 1 })
    },
    Benchmark(
      .start,
      "Open a database, run a first query, and close it (C: two connections)",
      operations: openings,
      limit: 4
    ) { workspace in
      try contest(
        in: workspace,
        ours: { pool in
          try pool.read { try Int.fetchOne($0, sql: Counter.selection, arguments: [1]) ?? 0 }
        },
        baseline: queriedValue
      )
    },
    Benchmark(
      .start,
      "Open a database, start a first observation, and close it (C: a query)",
      operations: openings,
      limit: 6
    ) { workspace in
      try contest(in: workspace, ours: observedValue, baseline: queriedValue)
    },
  ]

  private static func contest(
    in workspace: Workspace,
    ours: @escaping (DatabasePool) throws -> Int,
    baseline: @escaping (String) throws -> Int
  ) throws -> Contest {
    let path = try workspace.makeDatabase("counter") { try $0.execute(Counter.creation) }
    // It keeps the WAL while nothing else has the file open.
    let keeper = try RawConnection(path: path)
    return Contest(
      ours: Side(
        work: {
          var sum = 0
          for _ in 0..<openings {
            let pool = try DatabasePool(benchmarking: path)
            sum += try ours(pool)
            try pool.close()
          }
          return sum
        },
        checksum: { $0 }
      ),
      baseline: Side(
        work: {
          try withExtendedLifetime(keeper) {
            var sum = 0
            for _ in 0..<openings {
              let writer = try RawConnection(path: path)
              sum += try withExtendedLifetime(writer) { try baseline(path) }
            }
            return sum
          }
        },
        checksum: { $0 }
      )
    )
  }

  /// Reads a value on a further connection.
  private static func queriedValue(path: String) throws -> Int {
    let reader = try RawConnection(path: path, isReadonly: true)
    let selection = try reader.prepare(Counter.selection)
    sqlite3_bind_int64(selection, 1, 1)
    guard sqlite3_step(selection) == SQLITE_ROW else { throw reader.failure }
    return Int(sqlite3_column_int64(selection, 0))
  }

  /// Starts an observation, and returns its first value.
  private static func observedValue(pool: DatabasePool) throws -> Int {
    let observation = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: Counter.selection, arguments: [1]) ?? 0
    }
    nonisolated(unsafe) var value = 0
    let cancellable = observation.start(
      in: pool,
      scheduling: .immediate,
      onError: { fatalError("An observation failed: \($0)") },
      onChange: { value = $0 }
    )
    cancellable.cancel()
    return value
  }
}
