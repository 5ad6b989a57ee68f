internal import Dispatch
internal import WellspringPlatform

/// Fetches the values of one query, and patches them where that is possible and pays.
final class PatchingFetcher<Rule: PatchRule>: ValuePatcher {
  private struct State {
    var policy = PatchPolicy()
    /// What is kept of the last value, and the number of its snapshot. A run takes it, so that a
    /// run that fails leaves nothing.
    var kept: (value: Rule.Kept, number: CommitNumber, origin: ValueOrigin)?
    /// ``Configuration/patchingThreshold`` in the last run.
    var threshold: UInt64 = 0
  }

  private let rule: Rule
  // Guards what is known of the last runs. Queries run outside it.
  private let state = Lock(State())

  init(_ rule: Rule) {
    self.rule = rule
  }

  /// Whether the last value is kept for a patch.
  var isKept: Bool { state.withLock { $0.kept != nil } }

  var plan: (sql: String, description: String)? { state.withLock { $0.kept?.value.plan } }

  var obstacle: PatchObstacle? {
    state.withLock { $0.policy.reason(threshold: $0.threshold) }
  }

  func fetch(
    _ db: Database,
    in number: CommitNumber,
    changed: ChangedRows?
  ) throws -> PatchedFetch<Rule.Value> {
    let (kept, policy) = state.withLock { state in
      defer { state.kept = nil }
      state.threshold = db.configuration.patchingThreshold
      return (state.kept, state.policy)
    }
    let threshold = db.configuration.patchingThreshold
    let start = Self.now
    if let kept, let changed, changed.since == kept.number,
      policy.pays(rows: changed.count, threshold: threshold),
      let patched = try attempt(db, { try rule.patch(kept.value, changed: changed, db) })
    {
      let duration = Self.now - start
      state.withLock { $0.policy.notePatch(duration: duration) }
      return fetch(patched, in: number, after: kept.origin)
    }
    let keepsResult = state.withLock { state in
      if let kept { state.policy.noteKeptInVain(bySecondRun: kept.value.takesSecondRun) }
      return state.policy.keepsResult(threshold: threshold)
    }
    var fetched: PatchedFetch<Rule.Value>?
    if keepsResult,
      let patched = try attempt(db, { try rule.fetchKeeping(db) })
    {
      state.withLock { $0.policy.noteProof() }
      fetched = fetch(patched, in: number, after: nil)
    }
    let fetch = try fetched ?? PatchedFetch(value: rule.fetch(db))
    let duration = Self.now - start
    state.withLock { $0.policy.noteWholeRun(duration: duration, isKept: fetched != nil) }
    return fetch
  }

  private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

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

  private func fetch(
    _ patched: Patched<Rule.Value, Rule.Kept>,
    in number: CommitNumber,
    after last: ValueOrigin?
  ) -> PatchedFetch<Rule.Value> {
    let origin =
      if let last, patched.isUnchanged == true {
        // An equal value is the last one: the subscribers hold that.
        last
      } else if let last, let patch = patched.patch {
        ValueOrigin(patch, since: last)
      } else {
        ValueOrigin()
      }
    return PatchedFetch(
      value: patched.value,
      inputs: patched.inputs,
      isUnchanged: patched.isUnchanged,
      origin: origin,
      keep: { [state] equal in
        let kept = patched.keep(equal?.value)
        state.withLock { $0.kept = (kept, number, equal?.origin ?? origin) }
        return kept.memory
      }
    )
  }
}
