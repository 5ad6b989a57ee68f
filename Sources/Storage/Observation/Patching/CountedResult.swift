/// The rows of a query of which only the number matters.
struct CountedResult: Sendable {
  let plan: PatchPlan
  /// The values of the query's parameters.
  let arguments: [DatabaseValue]
  let rows: CountedRows

  /// Finds the rows; `nil` when what they depend on is not known.
  ///
  /// - Parameters:
  ///   - plan: The plan of the query for the rows.
  ///   - arguments: The values of its parameters.
  ///   - db: A snapshot.
  ///   - capacity: The largest number of rows that are looked for; `nil` for all rows.
  /// - Throws: The error of the query.
  init?(
    _ plan: PatchPlan,
    _ arguments: [DatabaseValue],
    _ db: Database,
    capacity: Int? = nil
  ) throws {
    self.plan = plan
    self.arguments = arguments
    let sql = plan.wholeSQL + (capacity.map { " LIMIT \($0)" } ?? "")
    let (ids, recorder) = db.recordingRegion { try db.rowIDs(sql, arguments) }
    rows = try CountedRows(ids.get(), capacity: capacity)
    // A function made in Swift may have run further statements.
    guard recorder.statements == [sql] else { return nil }
  }

  /// Counts again.
  ///
  /// - Parameters:
  ///   - changed: The ids of all rows of the table that have changed since.
  ///   - db: A snapshot in which no other row has changed.
  /// - Returns: The number, and how the rows differ; `nil` when they must be found again.
  /// - Throws: The error of the query.
  func patch(
    changed: Set<Int64>,
    _ db: Database
  ) throws -> (count: Int, difference: CountedRows.Difference)? {
    let matching = try db.withoutRegionRecorder { try matchingRows(changed, db) }
    guard let matching else { return nil }
    let difference = rows.difference(of: changed, matching: matching)
    return difference.count.map { ($0, difference) }
  }

  /// Returns which of some rows the query has; `nil` when they are too many to be looked up.
  private func matchingRows(_ ids: Set<Int64>, _ db: Database) throws -> Set<Int64>? {
    guard let last = ids.first else { return [] }
    let sizes = PatchPlan.lookupSizes
    guard let size = sizes.first(where: { $0 >= ids.count }) else { return nil }
    var keys = ids.map { DatabaseValue(storage: .int64($0)) }
    keys += Array(repeating: DatabaseValue(storage: .int64(last)), count: size - keys.count)
    return try Set(db.rowIDs(plan.changedSQL(count: size), arguments + keys))
  }
}
