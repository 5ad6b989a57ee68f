/// How the number of rows of a request is patched.
struct CountRule<Request: FetchRequest & Sendable>: PatchRule {
  struct Kept: KeptResult {
    let sql: String
    let result: CountedResult

    var memory: Int { result.rows.memory }
    var plan: (sql: String, description: String) {
      (sql, result.plan.description(of: "the number of"))
    }
  }

  let request: Request

  func fetch(_ db: Database) throws -> Int { try request.fetchCount(db) }

  func fetchKeeping(_ db: Database) throws -> Patched<Int, Kept>? {
    guard let prepared = try request.prepareForPatches(db, forSingleResult: false) else {
      return nil
    }
    let statement = prepared.statement
    try statement.learnSchema()
    let rows = try statement.expandingSources()
    let plan = try PatchAnalysis.plan(for: rows, .count)
    let arguments = rows.boundValues.map { $0 ?? .null }
    guard let result = try CountedResult(plan, arguments, db) else { return nil }
    // The request may count in another way than by its rows. What it reads is recorded, too.
    let count = try request.fetchCount(db)
    guard let recorder = db.regionRecorder, recorder.statements.count == 1,
      try Self.counts(recorder.statements[0], rowsOf: statement.sql), count == result.rows.count
    else { throw PatchObstacle.groupsRows }
    let kept = Kept(sql: statement.sql, result: result)
    return Patched(value: count, inputs: plan.inputs, isUnchanged: nil, keep: { _ in kept })
  }

  /// Whether a statement counts the rows of a query.
  private static func counts(_ sql: String, rowsOf query: String) throws -> Bool {
    if sql == "SELECT COUNT(*) FROM (\(query))" { return true }
    let (count, rows) = try (SelectText(sql), SelectText(query))
    return !count.cuts.isGrouped && !rows.cuts.isGrouped && count.list.asciiLowercased == "count(*)"
      && count.limit == nil
      && count.source == rows.source && count.condition == rows.condition
  }

  func patch(_ kept: Kept, changed: ChangedRows, _ db: Database) throws -> Patched<Int, Kept>? {
    guard
      let statement = try request.prepareForPatches(db, forSingleResult: false)?.statement,
      statement.sql == kept.sql, statement.boundValues == kept.result.arguments,
      let patch = try kept.result.patch(changed: changed, db)
    else { return nil }
    return Patched(
      value: patch.count,
      inputs: kept.result.plan.inputs,
      isUnchanged: patch.count == kept.result.rows.count,
      keep: { _ in
        kept.result.rows.apply(patch.difference)
        return kept
      }
    )
  }
}
