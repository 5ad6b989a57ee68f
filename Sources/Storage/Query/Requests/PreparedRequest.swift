/// A request that is ready to run on one connection.
public struct PreparedRequest {
  /// The statement, with its arguments bound.
  public let statement: Statement

  /// The adapter of the rows; `nil` to read them unchanged.
  public let adapter: (any RowAdapter)?

  /// The associated rows that are fetched for all rows.
  let prefetches: [Prefetch]

  /// The table whose rows have associated rows.
  var tableName: String?

  /// The number of the last columns that the rows do not show.
  var hiddenCount = 0

  /// Creates a prepared request.
  public init(statement: Statement, adapter: (any RowAdapter)? = nil) {
    self.init(statement: statement, adapter: adapter, prefetches: [])
  }

  init(statement: Statement, adapter: (any RowAdapter)?, prefetches: [Prefetch]) {
    self.statement = statement
    self.adapter = adapter
    self.prefetches = prefetches
  }
}

extension PreparedRequest {
  /// Throws when the request includes associated rows, which a cursor cannot provide: it reads rows
  /// one by one, before the others are known.
  func checkHasNoPrefetches() throws {
    guard let prefetch = prefetches.first else { return }
    throw DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: """
        a cursor cannot include \(prefetch.key), which are fetched for all rows at once: use \
        fetchAll(_:)
        """,
      sql: statement.sql
    )
  }

  /// Records what the request may read, if the region of this run stands for later ones: without
  /// rows, no associated rows are fetched.
  func recordRegionOfLaterRuns(_ db: Database) throws {
    guard let recorder = db.regionRecorder, recorder.coversLaterRuns else { return }
    recorder.record(try db.unrecorded { try databaseRegion(db, argumentsAreConstant: false) })
  }

  /// Returns the region that the request reads, with that of its associated rows.
  ///
  /// - Parameters:
  ///   - db: The connection of the request.
  ///   - argumentsAreConstant: Whether later runs have the same arguments.
  /// - Returns: The region.
  /// - Throws: ``DatabaseError`` when the schema cannot be read.
  func databaseRegion(
    _ db: Database,
    argumentsAreConstant: Bool = true
  ) throws -> DatabaseRegion {
    var region = try RegionRecorder.region(
      of: statement,
      argumentsAreConstant: argumentsAreConstant
    )
    for prefetch in prefetches {
      // The keys are not known. A text stands for them: it may be any row id, so the region has all
      // rows, and with any values. Without a key, SQLite would not read the columns of the key.
      var keys = PrefetchKeys(collations: prefetch.columns.map(\.collation))
      _ = keys.insert(prefetch.columns.map { _ in "".databaseValue })
      region.formUnion(
        try prefetch.query(keys).makePreparedRequest(db).databaseRegion(db).withoutValues
      )
    }
    return region
  }
}
