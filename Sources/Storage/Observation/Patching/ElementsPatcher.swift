internal import Dispatch
internal import WellspringPlatform

/// Fetches all elements of a request, or patches them.
final class ElementsPatcher<Request: FetchRequest & Sendable>: ValuePatcher
where Request.RowDecoder: Fetchable & Sendable {
  typealias Element = Request.RowDecoder

  private struct State {
    var policy = PatchPolicy()
    /// The last value, and the number of its snapshot. A run takes it, so that a run that fails
    /// leaves nothing.
    var kept: Kept?
  }

  private struct Kept: Sendable {
    let number: CommitNumber
    let sql: String
    var result: PatchedResult<Element>
  }

  private let request: Request
  // Guards what is known of the last runs. Queries run outside it.
  private let state = Lock(State())

  init(_ request: Request) {
    self.request = request
  }

  var obstacle: PatchObstacle? { state.withLock { $0.policy.obstacle } }

  func fetch(
    _ db: Database,
    in number: CommitNumber,
    changed: ChangedRows?
  ) throws -> PatchedFetch<[Element]> {
    let (kept, policy) = state.withLock { state in
      defer { state.kept = nil }
      return (state.kept, state.policy)
    }
    let threshold = db.configuration.patchingThreshold
    let start = Self.now
    if let kept, let changed, changed.since == kept.number,
      policy.pays(rows: changed.ids.count, threshold: threshold),
      let fetch = try patch(kept, changed.ids, db, in: number)
    {
      let duration = Self.now - start
      state.withLock { $0.policy.notePatch(duration: duration) }
      return fetch
    }
    let fetch =
      try policy.keepsResult(threshold: threshold)
      ? fetchKeeping(db, in: number) : PatchedFetch(value: request.fetchAll(db))
    let duration = Self.now - start
    state.withLock { $0.policy.noteWholeRun(duration: duration, keptInVain: kept != nil) }
    return fetch
  }

  private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  // MARK: Patching

  private func patch(
    _ kept: Kept,
    _ changed: Set<Int64>,
    _ db: Database,
    in number: CommitNumber
  ) throws -> PatchedFetch<[Element]>? {
    try attempt(db) {
      let prepared = try request.makePreparedRequest(db)
      // A request may read the database to make its query.
      guard db.regionRecorder?.statements.isEmpty != false, prepared.prefetches.isEmpty,
        prepared.statement.sql == kept.sql,
        prepared.statement.boundValues == kept.result.arguments
      else { return nil }
      var result = kept.result
      let patch = try db.withoutRegionRecorder {
        try result.patch(changed: changed, db, adapter: prepared.adapter) {
          try Element.fetched(from: $0)
        }
      }
      guard let patch else { return nil }
      let isUnchanged =
        patch.left.isEmpty && patch.arrived.isEmpty
        || patch.keepsPlaces
          && patch.arrived.allSatisfy {
            isEquatable(Element.self)
              && areEquatablesEqual(kept.result.elements[$0.place], result.elements[$0.place])
          }
      return self.fetch(result, kept.sql, in: number, isUnchanged: isUnchanged)
    }
  }

  private func fetch(
    _ result: PatchedResult<Element>,
    _ sql: String,
    in number: CommitNumber,
    isUnchanged: Bool?
  ) -> PatchedFetch<[Element]> {
    PatchedFetch(
      value: result.elements,
      table: result.plan.table,
      isUnchanged: isUnchanged,
      keep: { [state] in
        state.withLock { $0.kept = Kept(number: number, sql: sql, result: result) }
      }
    )
  }

  /// Runs a body, after whose failure the whole query can still run.
  private func attempt<Result>(_ db: Database, _ body: () throws -> Result?) throws -> Result? {
    do {
      return try body()
    } catch let obstacle as PatchObstacle {
      state.withLock { $0.policy.note(obstacle) }
      return nil
    } catch {
      // The error has ended the snapshot.
      if db.transactionWasUndone { throw error }
      return nil
    }
  }

  // MARK: Whole runs

  /// Runs the whole query, and keeps its result if it can be patched.
  private func fetchKeeping(
    _ db: Database,
    in number: CommitNumber
  ) throws -> PatchedFetch<[Element]> {
    let fetch = try attempt(db) { () -> PatchedFetch<[Element]>? in
      let prepared = try request.makePreparedRequest(db)
      guard db.regionRecorder?.statements.isEmpty != false, prepared.prefetches.isEmpty else {
        return nil
      }
      let plan = try PatchAnalysis.plan(for: prepared.statement)
      let arguments = prepared.statement.boundValues.map { $0 ?? .null }
      let (result, recorder) = db.recordingRegion {
        try PatchedResult(plan, arguments, db, adapter: prepared.adapter) {
          try Element.fetched(from: $0)
        }
      }
      // A function made in Swift may have run further statements.
      guard recorder.statements == [plan.wholeSQL] else { return nil }
      state.withLock { $0.policy.noteProof() }
      try db.regionRecorder?.record(prepared.statement)
      return try self.fetch(result.get(), prepared.statement.sql, in: number, isUnchanged: nil)
    }
    return try fetch ?? PatchedFetch(value: request.fetchAll(db))
  }
}
