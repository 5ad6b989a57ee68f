internal import CWellspringSQLite
internal import WellspringPlatform

/// How the number of rows of a request is patched.
struct CountRule<Request: FetchRequest & Sendable>: PatchRule {
  struct Kept: Sendable {
    let sql: String
    let arguments: [DatabaseValue]
    let plan: PatchPlan
    let rows: CountedRows
  }

  let request: Request

  func fetch(_ db: Database) throws -> Int { try request.fetchCount(db) }

  func fetchKeeping(_ db: Database) throws -> Patched<Int, Kept>? {
    guard let prepared = try request.prepareForPatches(db, forSingleResult: false) else {
      return nil
    }
    let statement = prepared.statement
    let plan = try PatchAnalysis.plan(for: statement, .count)
    let arguments = statement.boundValues.map { $0 ?? .null }
    let (result, recorder) = db.recordingRegion {
      try db.rowIDs(plan.wholeSQL, arguments)
    }
    // A function made in Swift may have run further statements.
    guard recorder.statements == [plan.wholeSQL] else { return nil }
    let ids = try result.get()
    // The request may count in another way than by its rows. What it reads is recorded, too.
    let count = try request.fetchCount(db)
    guard let recorder = db.regionRecorder, recorder.statements.count == 1,
      try Self.counts(recorder.statements[0], rowsOf: statement.sql), count == ids.count
    else { throw PatchObstacle.groupsRows }
    let kept = Kept(
      sql: statement.sql,
      arguments: arguments,
      plan: plan,
      rows: CountedRows(ids)
    )
    return Patched(value: count, table: plan.table, isUnchanged: nil, keep: { kept })
  }

  /// Whether a statement counts the rows of a query.
  private static func counts(_ sql: String, rowsOf query: String) throws -> Bool {
    if sql == "SELECT COUNT(*) FROM (\(query))" { return true }
    let (count, rows) = try (SelectText(sql), SelectText(query))
    return count.list.asciiLowercased == "count(*)" && count.limit == nil
      && count.source == rows.source && count.condition == rows.condition
  }

  func patch(_ kept: Kept, changed: Set<Int64>, _ db: Database) throws -> Patched<Int, Kept>? {
    guard
      let statement = try request.prepareForPatches(db, forSingleResult: false)?.statement,
      statement.sql == kept.sql, statement.boundValues == kept.arguments,
      let matching = try db.withoutRegionRecorder({
        try kept.plan.matchingRows(changed, db, kept.arguments)
      })
    else { return nil }
    let (left, arrived) = kept.rows.difference(of: changed, matching: matching)
    return Patched(
      value: kept.rows.count - left.count + arrived.count,
      table: kept.plan.table,
      isUnchanged: left.count == arrived.count,
      keep: {
        kept.rows.apply(left: left, arrived: arrived)
        return kept
      }
    )
  }
}

/// The ids of the rows that were counted.
///
/// It is an object, because copying the ids would cost as much as counting.
final class CountedRows: Sendable {
  // Guards the ids. One run at a time uses them.
  private let ids: Lock<Set<Int64>>

  init(_ ids: [Int64]) {
    self.ids = Lock(Set(ids))
  }

  var count: Int { ids.withLock { $0.count } }

  /// Returns which rows are counted no longer, and which are counted now.
  ///
  /// - Parameters:
  ///   - changed: The ids of the rows that have changed.
  ///   - matching: Those of them that the query has now.
  /// - Returns: The ids of both kinds.
  func difference(
    of changed: Set<Int64>,
    matching: Set<Int64>
  ) -> (left: Set<Int64>, arrived: Set<Int64>) {
    let counted = ids.withLock { ids in changed.filter(ids.contains) }
    return (counted.subtracting(matching), matching.subtracting(counted))
  }

  func apply(left: Set<Int64>, arrived: Set<Int64>) {
    ids.withLock { ids in
      ids.subtract(left)
      ids.formUnion(arrived)
    }
  }
}

extension PatchPlan {
  /// Returns which of some rows the query has; `nil` when they are too many to be looked up.
  fileprivate func matchingRows(
    _ ids: Set<Int64>,
    _ db: Database,
    _ arguments: [DatabaseValue]
  ) throws -> Set<Int64>? {
    guard let last = ids.first else { return [] }
    guard let size = Self.lookupSizes.first(where: { $0 >= ids.count }) else { return nil }
    var keys = ids.map { DatabaseValue(storage: .int64($0)) }
    keys += Array(repeating: DatabaseValue(storage: .int64(last)), count: size - keys.count)
    return try Set(db.rowIDs(changedSQL(count: size), arguments + keys))
  }
}
