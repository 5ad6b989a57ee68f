internal import Dispatch
internal import WellspringSystem

/// Fetches values that are made of the elements of a request, and patches the last value where that
/// is possible and pays.
final class ElementsPatcher<Request: FetchRequest & Sendable, Element, Value: Sendable>:
  ValuePatcher
{
  /// The result that is made of the rows of the request.
  struct Form: Sendable {
    let kind: PatchPlan.Kind
    /// Makes an element of a row.
    let decode: @Sendable (Row) throws -> Element
    /// Makes the value; `nil` when the request itself must make it.
    let value: @Sendable ([Element]) -> Value?
    /// Returns the elements that make a value; `nil` for a value of another kind.
    let elements: @Sendable (Value) -> [Element]?
    /// Makes the value without patches.
    let fetch: @Sendable (Database) throws -> Value
    /// Whether elements that come are compared with elements that leave, to find equal values.
    var comparesElements = true
  }

  /// A run of the query.
  struct Run {
    /// A snapshot.
    let db: Database
    /// The number of the snapshot.
    let number: CommitNumber
    /// How the last value came about, if it is patched.
    var last: ValueOrigin?
  }

  /// The data that is kept of a value.
  struct Kept: Sendable {
    let sql: String
    let result: KeptResult<Element>
    /// The number of its snapshot.
    let number: CommitNumber
    let origin: ValueOrigin
  }

  private struct State {
    var policy = PatchPolicy()
    /// The kept data of the last value. A run takes it, so that a run that fails leaves nothing.
    var kept: Kept?
    /// ``Configuration/patchingThreshold`` in the last run.
    var threshold: UInt64 = 0
  }

  let request: Request
  let form: Form
  // Guards the state of the last runs. Queries run outside it.
  private let state = Lock(State())

  init(_ request: Request, _ form: Form) {
    self.request = request
    self.form = form
  }

  /// Whether the last value is kept for a patch.
  var isKept: Bool { state.withLock { $0.kept != nil } }

  var plan: (sql: String, description: String)? {
    state.withLock { $0.kept }.map { ($0.sql, $0.result.description) }
  }

  var obstacle: PatchObstacle? {
    state.withLock { $0.policy.reason(threshold: $0.threshold) }
  }

  func fetch(
    _ db: Database,
    in number: CommitNumber,
    changed: ChangedRows?
  ) throws -> PatchedFetch<Value> {
    let threshold = db.configuration.patchingThreshold
    let (kept, policy) = state.withLock { state in
      defer { state.kept = nil }
      state.threshold = threshold
      return (state.kept, state.policy)
    }
    var run = Run(db: db, number: number, last: kept?.origin)
    let start = Self.now
    if let kept, let changed, changed.since == kept.number,
      policy.pays(rows: changed.count, threshold: threshold),
      let patched = try attempt(run, { try patch(kept, changed: changed, run) })
    {
      let duration = Self.now - start
      state.withLock { $0.policy.notePatch(duration: duration) }
      return patched
    }
    let keepsResult = state.withLock { state in
      if let kept { state.policy.noteKeptInVain(bySecondRun: kept.result.takesSecondRun) }
      return state.policy.keepsResult(threshold: threshold)
    }
    run.last = nil
    var provable: PatchedFetch<Value>?
    if keepsResult {
      provable = try attempt(run) { try fetchKeeping(run) }
      if provable != nil { state.withLock { $0.policy.noteProof() } }
    }
    let fetch = try provable ?? PatchedFetch(value: form.fetch(db))
    let duration = Self.now - start
    state.withLock { $0.policy.noteWholeRun(duration: duration, isKept: provable != nil) }
    return fetch
  }

  private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  /// Runs a body, after whose failure the whole query can still run.
  private func attempt<Result>(_ run: Run, _ body: () throws -> Result?) throws -> Result? {
    do {
      return try body()
    } catch let obstacle as PatchObstacle {
      state.withLock { $0.policy.note(obstacle) }
      return nil
    } catch {
      // The error has ended the snapshot.
      if run.db.transactionWasUndone { throw error }
      return nil
    }
  }

  /// Returns a value that can be patched.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - run: The run that made it.
  ///   - sql: The statement.
  ///   - inputs: The data of each commit that the next patch needs.
  ///   - isUnchanged: Whether the value equals the last one; `nil` if it was fetched as a whole.
  ///   - patch: The indexes at which the value differs from the last one; `nil` if it is not an
  ///     array that was patched.
  ///   - keep: Makes the kept data. It may be given an equal value that the subscribers hold.
  /// - Returns: The value, and how it came about.
  func keeping(
    _ value: Value,
    of run: Run,
    _ sql: String,
    _ inputs: PatchInputs,
    isUnchanged: Bool?,
    _ patch: ElementsPatch? = nil,
    _ keep: @escaping @Sendable (_ equal: Value?) -> KeptResult<Element>
  ) -> PatchedFetch<Value> {
    let origin =
      if let last = run.last, isUnchanged == true {
        // An equal value is the last one: the subscribers hold that.
        last
      } else if let last = run.last, let patch {
        ValueOrigin(patch, since: last)
      } else {
        ValueOrigin()
      }
    return PatchedFetch(
      value: value,
      inputs: inputs,
      isUnchanged: isUnchanged,
      origin: origin,
      keep: { [state, number = run.number] equal in
        let result = keep(equal?.value)
        let kept = Kept(
          sql: sql,
          result: result,
          number: number,
          origin: equal?.origin ?? origin
        )
        state.withLock { $0.kept = kept }
        return result.memory
      }
    )
  }
}

extension ElementsPatcher where Request.RowDecoder: Fetchable & Sendable {
  /// Patches all elements.
  convenience init(all request: Request)
  where Element == Request.RowDecoder, Value == [Element] {
    self.init(
      request,
      Form(
        kind: .allRows,
        decode: { try Element.fetched(from: $0) },
        value: { $0 },
        elements: { $0 },
        fetch: { db in try request.fetchAll(db) }
      )
    )
  }

  /// Patches the first element.
  convenience init(first request: Request)
  where Element == Request.RowDecoder?, Value == Request.RowDecoder? {
    self.init(first: request, value: { $0 }, fetch: { db in try request.fetchOne(db) })
  }

  /// Patches the value of the first element.
  convenience init<Single: SingleElementRequest>(of single: Single)
  where Single.Request == Request, Element == Request.RowDecoder?, Value == Single.Value {
    self.init(
      first: single.request,
      value: { Single.value(of: $0) },
      fetch: { db in try single.fetch(db) }
    )
  }

  private convenience init(
    first request: Request,
    value: @escaping @Sendable (Element) -> Value?,
    fetch: @escaping @Sendable (Database) throws -> Value
  ) where Element == Request.RowDecoder? {
    self.init(
      request,
      Form(
        kind: .firstRow,
        decode: { try Request.RowDecoder.fetchedOne(from: $0) },
        value: { value($0.first ?? nil) },
        elements: { _ in nil },
        fetch: fetch
      )
    )
  }
}

extension ElementsPatcher where Element == Int, Value == Int {
  /// Patches the number of the elements.
  convenience init(countOf request: Request) {
    self.init(
      request,
      Form(
        kind: .count,
        decode: { try Int.fetched(from: $0) },
        value: { $0.first },
        elements: { _ in nil },
        fetch: { db in try request.fetchCount(db) }
      )
    )
  }
}
