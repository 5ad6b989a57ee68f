internal import Storage

/// The common parts of the insertion benchmarks.
enum Insertion {
  /// How many rows a round inserts.
  ///
  /// The rows fill fewer than the thousand pages after which SQLite runs an automatic checkpoint,
  /// so no wait for the disk is measured.
  static let rowCount = 50_000

  /// Creates a contest whose sides insert into separate files.
  ///
  /// Before each measurement, the rows of the previous round are deleted and the WAL is emptied.
  ///
  /// The SQL of `creation` creates the table; the SQL of `checksum` reduces it to one number.
  /// `ours` inserts in an open transaction; `baseline` opens its own, and receives the prepared
  /// statement.
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
