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
    var ids: [Int64] = []
    var joined = JoinedPartners(plan.source)
    let (numbers, recorder) = db.recordingRegion {
      try RowNumbers.number(sql, plan.source, arguments, db) {
        ids.append($1)
        joined.set($1, plan.source, $0)
      }
    }
    rows = try CountedRows(ids, numbers.get(), joined, capacity: capacity)
    // A function made in Swift may have run further statements.
    guard recorder.statements == [sql] else { return nil }
  }

  /// Counts again.
  ///
  /// - Parameters:
  ///   - changed: All rows of its tables that have changed since.
  ///   - db: A snapshot in which no other row has changed.
  /// - Returns: The number, and how the rows differ; `nil` when they must be found again.
  /// - Throws: The error of the query.
  func patch(
    changed: ChangedRows,
    _ db: Database
  ) throws -> (count: Int, difference: CountedRows.Difference)? {
    guard let numbers = rows.numbers else { return nil }
    return try db.unrecorded {
      let touched = try plan.rows(
        touchedBy: changed,
        numbers,
        arguments,
        db,
        held: rows.rows(joinedWith:_:)
      )
      guard let touched, let matching = try matchingRows(touched, numbers, db) else { return nil }
      let difference = rows.difference(of: touched, matching: matching.rows, matching.joined)
      return difference.count.map { ($0, difference) }
    }
  }

  /// Returns which of some rows the query has; `nil` when they are too many to be looked up.
  private func matchingRows(
    _ rows: Set<Int64>,
    _ numbers: RowNumbers,
    _ db: Database
  ) throws -> (rows: Set<Int64>, joined: JoinedPartners)? {
    guard let size = PatchPlan.lookupSizes.first(where: { $0 >= rows.count }) else { return nil }
    var matching: Set<Int64> = []
    var joined = JoinedPartners(plan.source)
    try numbers.lookUp(rows, plan.changedSQL(count: size), size: size, arguments, db) {
      matching.insert($1)
      joined.set($1, plan.source, $0)
    }
    return (matching, joined)
  }
}
