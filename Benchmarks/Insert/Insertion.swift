internal import Storage

/// What the benchmarks of insertions have in common.
enum Insertion {
  /// How many rows a round inserts. They stay under the thousand pages at which SQLite runs a
  /// checkpoint by itself, so that no wait for the disk is measured.
  static let rowCount = 50_000

  /// Each side inserts into a file of its own. The rows of the round before are deleted, and the
  /// WAL is emptied, before the time runs.
  ///
  /// The SQL makes the table, and boils it down to one number. `ours` inserts in a transaction that
  /// is open already; `baseline` opens one itself, and gets the statement prepared.
  static func contest(
    in workspace: Workspace,
    creation: String,
    table: String,
    checksum: String,
    ours: @escaping (Database) throws -> Void,
    insertion: String,
    baseline: @escaping (RawConnection, OpaquePointer) throws -> Void
  ) throws -> Contest {
    let ourPath = try workspace.makeDatabase("ours") { try $0.execute(creation) }
    let baselinePath = try workspace.makeDatabase("baseline") { try $0.execute(creation) }
    let pool = try DatabasePool(benchmarking: ourPath)
    let connection = try RawConnection(path: baselinePath)
    let statement = try connection.prepare(insertion)
    let deletion = "DELETE FROM \(table)"
    return Contest(
      ours: Side(
        setUp: {
          try pool.write { try $0.execute(sql: deletion) }
          try pool.emptyWAL()
        },
        work: { try pool.write(ours) },
        checksum: { try pool.read { try Int.fetchOne($0, sql: checksum) ?? 0 } }
      ),
      baseline: Side(
        setUp: {
          try connection.execute(deletion)
          try connection.execute(RawConnection.emptyingWAL)
        },
        work: { try baseline(connection, statement) },
        checksum: { try connection.integer(checksum) }
      )
    )
  }
}
