internal import CommandLineSupport
internal import Dispatch
internal import FoundationEssentials
internal import Storage

/// Writes to a table of its own, and measures how long commits and their values take.
struct Load {
  let path: String
  let options: LoadOptions

  private static let table = "wellspring_load"
  private static let schema =
    "CREATE TABLE \(table) (id INTEGER PRIMARY KEY, writer INTEGER, value REAL)"

  /// Runs the load until its time is over or `ending` ends.
  ///
  /// - Parameters:
  ///   - ending: Ends the load early.
  ///   - progress: Called about ten times a second with the share of the time that is over, and the
  ///     number of commits.
  /// - Returns: The times, and how long the load took in seconds.
  /// - Throws: `DatabaseError`, or ``ToolError`` when a writer or a watcher has failed.
  func run(
    ending: Ending,
    progress: (_ share: Double, _ count: Int) -> Void
  ) throws -> LoadReport {
    let mode = try journalMode()
    // The pool is closed by then.
    defer { if let mode { setJournalMode(mode) } }
    return try measure(ending: ending, progress: progress)
  }

  private func measure(
    ending: Ending,
    progress: (_ share: Double, _ count: Int) -> Void
  ) throws -> LoadReport {
    let pool = try DatabasePool(path: path)
    defer { try? pool.close() }
    try pool.write { db in
      try dropTable(db)
      try db.execute(sql: Self.schema)
    }
    let record = LoadRecord()
    let watchers = (0..<options.watchers).map { index in
      // Different SQL, because equal queries share their runs.
      let sql = "SELECT max(id), \(index) FROM \(Self.table)"
      return ValueObservation.tracking { try Int64.fetchOne($0, sql: sql) ?? 0 }.start(
        in: pool,
        onError: { record.note(failure: ErrorMessage.text(for: $0)) },
        onChange: { if index == 0 { record.note(deliveryOf: $0) } }
      )
    }
    let begin = DispatchTime.now()
    let end = begin + options.seconds
    let writers = startWriters(pool, record: record, begin: begin, end: end, ending: ending)
    while writers.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
      progress(min(1, begin.seconds(to: .now()) / options.seconds), record.count)
    }
    let seconds = begin.seconds(to: .now())
    progress(1, record.count)
    try? pool.quiesce()
    for watcher in watchers { watcher.cancel() }
    try pool.write { try $0.execute(sql: "DROP TABLE \(Self.table)") }
    try pool.close()
    if let message = record.message { throw ToolError(message) }
    let (commits, deliveries) = record.latencies()
    return LoadReport(
      options: options,
      seconds: seconds,
      commits: commits,
      deliveries: deliveries
    )
  }

  /// Drops the table that an earlier load has left because it was killed.
  private func dropTable(_ db: Database) throws {
    let former = try Row.fetchOne(
      db,
      sql: "SELECT sql FROM sqlite_schema WHERE lower(name) = ?",
      arguments: [Self.table]
    )
    guard let former else { return }
    guard former.schemaText("sql") == Self.schema else {
      throw ToolError("\(path) has a \(Self.table) of its own: load writes to a table of this name")
    }
    try db.execute(sql: "DROP TABLE \(Self.table)")
  }

  /// Returns the journal mode that the file gets again after the load; `nil` if the file is missing
  /// or has a WAL.
  private func journalMode() throws -> String? {
    guard !WatchedFile(path: path).isMissing else { return nil }
    let queue = try DatabaseQueue(path: path)
    let mode = try queue.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
    try queue.close()
    return mode == "wal" ? nil : mode
  }

  private func setJournalMode(_ mode: String) {
    do {
      let queue = try DatabaseQueue(path: path)
      try queue.writeWithoutTransaction { db in
        _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = \(mode)")
      }
      try queue.close()
    } catch {
      Tool.complain("\(path) stays in WAL mode: \(ErrorMessage.text(for: error))")
    }
  }

  private func startWriters(
    _ pool: DatabasePool,
    record: LoadRecord,
    begin: DispatchTime,
    end: DispatchTime,
    ending: Ending
  ) -> DispatchGroup {
    let group = DispatchGroup()
    // Each writer starts its transactions at fixed times, so a slow commit delays no later one.
    let interval = options.rate.map { Double(options.writers) / $0 }
    let isWatched = options.watchers > 0
    for writer in 0..<options.writers {
      group.enter()
      BlockingThread.start {
        defer { group.leave() }
        var next = begin + (interval ?? 0) * Double(writer) / Double(options.writers)
        while DispatchTime.now() < end {
          if let interval {
            if ending.wait(until: min(next, end)) != nil || DispatchTime.now() >= end { return }
            next = next + interval
          } else if ending.hasEnded {
            return
          }
          let start = DispatchTime.now().uptimeNanoseconds
          do {
            let id = try pool.write { db in
              try db.execute(
                sql: "INSERT INTO \(Self.table) (writer, value) VALUES (?, random() / 1e9)",
                arguments: [writer]
              )
              return db.lastInsertedRowID
            }
            record.note(commitOf: id, begin: start, isWatched: isWatched)
          } catch {
            record.note(failure: ErrorMessage.text(for: error))
            return
          }
        }
      }
    }
    return group
  }
}

extension DispatchTime {
  fileprivate func seconds(to later: DispatchTime) -> Double {
    Double(later.uptimeNanoseconds - uptimeNanoseconds) / 1e9
  }
}
