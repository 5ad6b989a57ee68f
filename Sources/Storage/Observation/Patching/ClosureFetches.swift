internal import WellspringPlatform

/// The fetches of an observed closure, whose results are patched from run to run.
///
/// The closure runs each time. A fetch that the last run made too, with the same text and arguments
/// as the same type, is answered by patching its result, in the same snapshot.
final class ClosureFetches: Sendable {
  private typealias Fetchers = [ClosureFetch: any ClosureFetcher]

  private enum State {
    case new
    /// The fetches of the first run were not looked at.
    case hasRunOnce
    /// What made the fetches of the last run.
    case known(Fetchers)
  }

  // Guards what is known of the last run. The closure runs outside it.
  private let state = Lock(State.new)

  /// Why one of the last run's fetches was not patched; `nil` when no reason is known.
  var obstacle: PatchObstacle? {
    switch state.withLock({ $0 }) {
    case .new: nil
    case .hasRunOnce: .hasRunOnce
    case .known(let fetchers): fetchers.isEmpty ? .fetchesNoValues : obstacles.values.first
    }
  }

  /// Why the fetches of the last run were not patched, by their SQL; those without a reason are
  /// missing.
  var obstacles: [String: PatchObstacle] {
    guard case .known(let fetchers) = state.withLock({ $0 }) else { return [:] }
    return Dictionary(
      fetchers.filter { !$0.value.isKept }.compactMap { fetch, fetcher in
        fetcher.obstacle.map { (fetch.sql, $0) }
      }
    ) { first, _ in first }
  }

  /// Runs the closure.
  ///
  /// - Parameters:
  ///   - db: A snapshot.
  ///   - number: Its number.
  ///   - changed: What has changed since the last run; `nil` if it is not known.
  ///   - body: The closure.
  /// - Returns: Its value.
  /// - Throws: The error of the closure.
  func fetch<Value: Sendable>(
    _ db: Database,
    in number: CommitNumber,
    changed: ChangedRows?,
    _ body: () throws -> Value
  ) throws -> PatchedFetch<Value> {
    let known = state.withLock { state -> Fetchers? in
      switch state {
      case .new:
        state = .hasRunOnce
        // To look at the fetches of a first run takes longer than starting a quick observation.
        return db.configuration.patchingThreshold == 0 ? [:] : nil
      case .hasRunOnce: return [:]
      case .known(let fetchers): return fetchers
      }
    }
    guard let known else { return PatchedFetch(value: try body()) }
    let run = ClosureRun(known, in: number, changed: changed)
    let outer = db.fetchInterceptor
    db.fetchInterceptor = run
    defer { db.fetchInterceptor = outer }
    let value = try body()
    let keep = run.keep
    return PatchedFetch(
      value: value,
      inputs: run.inputs,
      hasPatches: run.isPatched,
      keep: { [state] _ in
        let (fetchers, memory) = keep()
        state.withLock { $0 = .known(fetchers) }
        return memory
      }
    )
  }
}

/// A fetch in an observed closure.
struct ClosureFetch: Sendable {
  let sql: String
  private let element: ObjectIdentifier
  private let isSingle: Bool
  private let adapter: HashableRowAdapter?
  /// The SQL and the arguments as SQLite compares them: Swift takes texts for equal that have other
  /// bytes.
  private let bytes: [[UInt8]]

  init(
    of element: Any.Type,
    isSingle: Bool,
    _ sql: String,
    _ arguments: [DatabaseValue],
    _ adapter: (any RowAdapter)?
  ) {
    self.sql = sql
    self.element = ObjectIdentifier(element)
    self.isSingle = isSingle
    self.adapter = adapter.map { HashableRowAdapter($0) }
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
      && left.adapter == right.adapter
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(element)
    hasher.combine(bytes)
  }
}

/// What fetches the elements of one fetch in a closure, and patches the last ones.
protocol ClosureFetcher: AnyObject, Sendable {
  /// Whether the last result is kept, and can be patched.
  var isKept: Bool { get }

  /// Why the next run fetches the elements as a whole, if the last result is not kept.
  var obstacle: PatchObstacle? { get }
}

extension PatchingFetcher: ClosureFetcher {}
