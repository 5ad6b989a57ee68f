internal import Dispatch
internal import WellspringSystem

/// The fetches of an observed closure, whose results are patched from run to run.
///
/// The closure runs each time. A fetch that the last run made too, with the same text and arguments
/// as the same type, is answered by patching its result, in the same snapshot. The fetches of a
/// quick closure are not looked at.
final class ClosureFetches: Sendable {
  private typealias Fetchers = [ClosureFetch: any ClosureFetcher]

  private struct State {
    /// Decides whether the fetches are looked at.
    var policy = PatchPolicy()
    /// ``Configuration/patchingThreshold`` in the last run.
    var threshold: UInt64 = 0
    /// The fetchers of the last run, if its fetches were looked at.
    var fetchers: Fetchers?
  }

  // Guards the state of the last runs. The closure runs outside it.
  private let state = Lock(State())

  /// Why one of the last run's fetches was not patched; `nil` when no reason is known.
  var obstacle: PatchObstacle? {
    let (fetchers, reason) = state.withLock {
      ($0.fetchers, $0.policy.reason(threshold: $0.threshold))
    }
    guard let fetchers else { return reason }
    return fetchers.isEmpty ? .fetchesNoValues : obstacles.values.first
  }

  /// Why the fetches of the last run were not patched, by their SQL; those without a reason are
  /// missing.
  var obstacles: [String: PatchObstacle] {
    guard let fetchers = state.withLock({ $0.fetchers }) else { return [:] }
    return Dictionary(
      fetchers.filter { !$0.value.isKept }.compactMap { fetch, fetcher in
        fetcher.obstacle.map { (fetch.sql, $0) }
      }
    ) { first, _ in first }
  }

  /// How the fetches of the last run are patched, by their SQL.
  var plans: [String: String] {
    let fetchers = state.withLock { $0.fetchers } ?? [:]
    let plans = fetchers.values.compactMap(\.plan)
    return Dictionary(plans.map { ($0.sql, $0.description) }) { first, _ in first }
  }

  /// Runs the closure.
  ///
  /// - Parameters:
  ///   - db: A snapshot.
  ///   - number: Its number.
  ///   - changed: The rows that have changed since the last run; `nil` if they are not known.
  ///   - body: The closure.
  /// - Returns: Its value.
  /// - Throws: The error of the closure.
  func fetch(
    _ db: Database,
    in number: CommitNumber,
    changed: ChangedRows?,
    _ body: () throws -> AnyObservedMoment
  ) throws -> PatchedFetch<AnyObservedMoment> {
    let threshold = db.configuration.patchingThreshold
    let known = state.withLock { state -> Fetchers? in
      state.threshold = threshold
      return state.fetchers ?? (state.policy.keepsResult(threshold: threshold) ? [:] : nil)
    }
    let start = Self.now
    guard let known else {
      let value = try body()
      let duration = Self.now - start
      state.withLock { $0.policy.noteWholeRun(duration: duration) }
      return PatchedFetch(value: value)
    }
    let run = ClosureRun(known, in: number, changed: changed)
    let outer = db.fetchInterceptor
    db.fetchInterceptor = run
    defer { db.fetchInterceptor = outer }
    let value = try body()
    let duration = Self.now - start
    let keep = run.keep
    return PatchedFetch(
      value: value,
      inputs: run.inputs,
      hasPatches: run.isPatched,
      keep: { [state] _ in
        let (fetchers, memory) = keep()
        let isKept = fetchers.values.contains { $0.isKept }
        state.withLock { state in
          state.fetchers = fetchers
          guard !isKept else { return }
          state.policy.noteWholeRun(duration: duration)
          if !state.policy.keepsResult(threshold: threshold) { state.fetchers = nil }
        }
        return memory
      }
    )
  }

  private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}

/// A fetch in an observed closure.
struct ClosureFetch: Sendable {
  let sql: String
  private let element: ObjectIdentifier
  private let isSingle: Bool
  private let adapter: HashableRowAdapter?
  private let prefetches: [Prefetch]
  /// The SQL and the arguments as SQLite compares them: some texts with different bytes are equal
  /// for Swift.
  private let bytes: [[UInt8]]

  init(
    of element: Any.Type,
    isSingle: Bool,
    _ request: PreparedRequest,
    _ arguments: [DatabaseValue]
  ) {
    sql = request.statement.sql
    self.element = ObjectIdentifier(element)
    self.isSingle = isSingle
    adapter = request.adapter.map { HashableRowAdapter($0) }
    prefetches = request.prefetches
    bytes = [Array(sql.utf8)] + arguments.map(Self.bytes)
  }

  private static func bytes(of argument: DatabaseValue) -> [UInt8] {
    switch argument.storage {
    case .null: []
    case .int64(let number): [1] + withUnsafeBytes(of: number) { Array($0) }
    case .double(let number): [2] + withUnsafeBytes(of: number) { Array($0) }
    case .string(let text): [3] + Array(text.utf8)
    case .blob(let blob): [4] + Array(blob)
    }
  }
}

extension ClosureFetch: Hashable {
  static func == (left: ClosureFetch, right: ClosureFetch) -> Bool {
    left.element == right.element && left.isSingle == right.isSingle && left.bytes == right.bytes
      && left.adapter == right.adapter && left.prefetches == right.prefetches
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(element)
    hasher.combine(bytes)
  }
}

/// Fetches the elements of one fetch in a closure, and patches the last elements.
protocol ClosureFetcher: AnyObject, Sendable {
  /// Whether the last result is kept, and can be patched.
  var isKept: Bool { get }

  /// The statement, and how its result is patched; `nil` if the last result is not kept.
  var plan: (sql: String, description: String)? { get }

  /// Why the next run fetches the elements as a whole, if the last result is not kept.
  var obstacle: PatchObstacle? { get }
}

extension ElementsPatcher: ClosureFetcher {}
