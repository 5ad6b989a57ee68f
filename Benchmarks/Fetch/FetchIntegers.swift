internal import CWellspringSQLite
internal import Storage

/// Fetches many rows of integers.
enum FetchIntegers {
  private static let rowCount = 200_000

  static let benchmarks = [
    Benchmark(
      .fetch,
      "Fetch 200,000 rows of 10 integers with a row cursor, by index",
      limit: 1.2
    ) {
      try contest(in: $0, ours: sum, baseline: rawSum)
    },
    Benchmark(.fetch, "Fetch 200,000 rows of 10 integers into structs, by index", limit: 1.3) {
      try contest(
        in: $0,
        ours: { try HandwrittenIntegers.fetchAll($0, sql: Integers.selection) },
        baseline: rawStructs
      )
    },
    Benchmark(.fetch, "Fetch 200,000 rows of 10 integers into structs, by name", limit: 1.4) {
      try contest(
        in: $0,
        ours: { try NamedIntegers.fetchAll($0, sql: Integers.selection) },
        baseline: rawStructs
      )
    },
    Benchmark(.fetch, "Fetch 200,000 rows of 10 integers into Codable structs", limit: 2.4) {
      try contest(
        in: $0,
        ours: { try Integers.fetchAll($0, sql: Integers.selection) },
        baseline: rawStructs
      )
    },
  ]

  /// Creates a contest whose sides read the same file.
  private static func contest(
    in workspace: Workspace,
    ours: @escaping (Database) throws -> some Checksummed,
    baseline: @escaping (RawConnection, OpaquePointer) throws -> some Checksummed
  ) throws -> Contest {
    let path = try workspace.makeDatabase("integers") { db in
      try db.execute(Integers.creation)
      try db.insert(Integers.rows(rowCount), with: db.prepare(Integers.insertion))
    }
    let pool = try DatabasePool(benchmarking: path)
    let connection = try RawConnection(path: path, isReadonly: true)
    let selection = try connection.prepare(Integers.selection)
    return Contest(
      ours: Side { try pool.read(ours) },
      baseline: Side { try baseline(connection, selection) }
    )
  }

  private static func sum(_ db: Database) throws -> Int {
    var sum = 0
    let rows = try Row.fetchCursor(db, sql: Integers.selection)
    while let row = try rows.next() {
      sum &+= row[0]
      sum &+= row[1]
      sum &+= row[2]
      sum &+= row[3]
      sum &+= row[4]
      sum &+= row[5]
      sum &+= row[6]
      sum &+= row[7]
      sum &+= row[8]
      sum &+= row[9]
    }
    return sum
  }

  private static func rawSum(
    _ connection: RawConnection,
    _ selection: OpaquePointer
  ) throws -> Int {
    var sum: Int64 = 0
    while sqlite3_step(selection) == SQLITE_ROW {
      sum &+= sqlite3_column_int64(selection, 0)
      sum &+= sqlite3_column_int64(selection, 1)
      sum &+= sqlite3_column_int64(selection, 2)
      sum &+= sqlite3_column_int64(selection, 3)
      sum &+= sqlite3_column_int64(selection, 4)
      sum &+= sqlite3_column_int64(selection, 5)
      sum &+= sqlite3_column_int64(selection, 6)
      sum &+= sqlite3_column_int64(selection, 7)
      sum &+= sqlite3_column_int64(selection, 8)
      sum &+= sqlite3_column_int64(selection, 9)
    }
    try connection.finish(selection)
    return Int(sum)
  }

  /// Builds the same result as our side: a Swift array that grows as it is filled.
  private static func rawStructs(
    _ connection: RawConnection,
    _ selection: OpaquePointer
  ) throws -> [Integers] {
    var rows: [Integers] = []
    while sqlite3_step(selection) == SQLITE_ROW {
      rows.append(
        Integers(
          a: Int(sqlite3_column_int64(selection, 0)),
          b: Int(sqlite3_column_int64(selection, 1)),
          c: Int(sqlite3_column_int64(selection, 2)),
          d: Int(sqlite3_column_int64(selection, 3)),
          e: Int(sqlite3_column_int64(selection, 4)),
          f: Int(sqlite3_column_int64(selection, 5)),
          g: Int(sqlite3_column_int64(selection, 6)),
          h: Int(sqlite3_column_int64(selection, 7)),
          i: Int(sqlite3_column_int64(selection, 8)),
          j: Int(sqlite3_column_int64(selection, 9))
        )
      )
    }
    try connection.finish(selection)
    return rows
  }
}
