internal import CWellspringSQLite
internal import Storage

/// Fetches many rows of several types: an integer, a text, a text or NULL, a real and a date.
enum FetchPlayers {
  private static let rowCount = 200_000

  static let benchmarks = [
    Benchmark(
      .fetch,
      "Fetch 200,000 rows of mixed types into structs, by index",
      limit: 1.1,
      enforcedLimit: 1.3
    ) {
      try contest(in: $0) { try HandwrittenPlayer.fetchAll($0, sql: Player.selection) }
    },
    Benchmark(.fetch, "Fetch 200,000 rows of mixed types into Codable structs", limit: 1.9) {
      try contest(in: $0) { try Player.fetchAll($0, sql: Player.selection) }
    },
  ]

  /// Creates a contest whose sides read the same file.
  private static func contest(
    in workspace: Workspace,
    ours: @escaping (Database) throws -> some Checksummed
  ) throws -> Contest {
    let path = try workspace.makeDatabase("player") { db in
      try db.execute(Player.creation(rows: rowCount))
    }
    let pool = try DatabasePool(benchmarking: path)
    let connection = try RawConnection(path: path, isReadonly: true)
    let selection = try connection.prepare(Player.selection)
    return Contest(
      ours: Side { try pool.read(ours) },
      baseline: Side { try rawStructs(connection, selection) }
    )
  }

  private static func rawStructs(
    _ connection: RawConnection,
    _ selection: OpaquePointer
  ) throws -> [Player] {
    var rows: [Player] = []
    while sqlite3_step(selection) == SQLITE_ROW {
      guard let joined = rawDate(selection, 4) else {
        throw RawConnection.Failure(description: "a player has no valid date")
      }
      rows.append(
        Player(
          id: Int(sqlite3_column_int64(selection, 0)),
          name: rawText(selection, 1),
          email: rawOptionalText(selection, 2),
          score: sqlite3_column_double(selection, 3),
          joined: joined
        )
      )
    }
    try connection.finish(selection)
    return rows
  }
}
