internal import WellspringPlatform

/// The fetches of an observed closure, whose results are patched from run to run.
///
/// The closure runs each time. A fetch that the last run made too, with the same text and arguments
/// as the same type, is answered by patching its result, in the same snapshot.
final class ClosureFetches: Sendable {
  /// More fetches in a run are not looked at.
  static let maximumFetches = 50

  // Guards what is known of the last run. The closure runs outside it.
  private let fetchers = Lock<[ClosureFetch: any ClosureFetcher]?>(nil)

  /// Why one of the last run's fetches was not patched; `nil` when no reason is known.
  var obstacle: PatchObstacle? {
    let fetchers = fetchers.withLock { $0 } ?? [:]
    guard !fetchers.isEmpty else { return .isNoRequest }
    return fetchers.values.lazy.filter { !$0.isKept }.compactMap(\.obstacle).first
  }

  /// Why the fetches of the last run were not patched, by their SQL; those without a reason are
  /// missing.
  var obstacles: [String: PatchObstacle] {
    let fetchers = fetchers.withLock { $0 } ?? [:]
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
    let known = fetchers.withLock { $0 }
    if known == nil, db.configuration.patchingThreshold > 0 {
      // Looking at the fetches of a first run would make starting an observation twice as long.
      let value = try body()
      fetchers.withLock { $0 = [:] }
      return PatchedFetch(value: value)
    }
    let run = ClosureRun(known ?? [:], in: number, changed: changed)
    let outer = db.fetchInterceptor
    db.fetchInterceptor = run
    defer { db.fetchInterceptor = outer }
    let value = try body()
    return PatchedFetch(
      value: value,
      inputs: run.inputs,
      hasPatches: run.patches > 0 && run.patches == run.fetches,
      keep: run.keep { [fetchers] used in fetchers.withLock { $0 = used } }
    )
  }
}

/// A fetch in an observed closure.
struct ClosureFetch: Hashable, Sendable {
  let element: ObjectIdentifier
  let isSingle: Bool
  let sql: String
  let arguments: [DatabaseValue]
  let adapter: HashableRowAdapter?

  /// What SQLite compares, byte for byte: Swift takes texts for equal that have other bytes.
  private var bytes: [[UInt8]] {
    [Array(sql.utf8)]
      + arguments.map { argument in
        switch argument.storage {
        case .null: []
        case .int64(let number): [1] + Swift.withUnsafeBytes(of: number) { Array($0) }
        case .double(let number): [2] + Swift.withUnsafeBytes(of: number) { Array($0) }
        case .string(let text): [3] + Array(text.utf8)
        case .blob(let blob): [4] + Array(blob)
        }
      }
  }

  static func == (left: ClosureFetch, right: ClosureFetch) -> Bool {
    left.element == right.element && left.isSingle == right.isSingle
      && left.adapter == right.adapter && left.bytes == right.bytes
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(element)
    hasher.combine(isSingle)
    hasher.combine(sql)
    hasher.combine(arguments)
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

/// A run of an observed closure. It belongs to the thread of the run.
final class ClosureRun: FetchInterceptor {
  private let known: [ClosureFetch: any ClosureFetcher]
  private var used: [ClosureFetch: any ClosureFetcher] = [:]
  private let number: CommitNumber
  private let changed: ChangedRows?
  private var keeps: [@Sendable () -> Int] = []
  /// The results that are kept.
  private var results: [ClosureFetch: Any] = [:]
  private var patched: Set<ClosureFetch> = []
  private(set) var inputs = PatchInputs.none
  /// How many fetches there were.
  private(set) var fetches = 0
  /// How many of them were patched.
  private(set) var patches = 0

  init(
    _ known: [ClosureFetch: any ClosureFetcher],
    in number: CommitNumber,
    changed: ChangedRows?
  ) {
    self.known = known
    self.number = number
    self.changed = changed
  }

  /// Returns what keeps the results of all fetches, once the snapshot is known to be good.
  func keep<Value>(
    _ body: @escaping @Sendable ([ClosureFetch: any ClosureFetcher]) -> Void
  ) -> PatchedFetch<Value>.Keep {
    { [keeps, used] _ in
      body(used)
      return keeps.reduce(0) { $0 + $1() }
    }
  }

  /// Fetches all elements of a statement whose arguments are bound.
  ///
  /// - Returns: The elements; `nil` when the statement is to run as if it were not observed.
  /// - Throws: The error of the statement, or of an element.
  func fetchAll<Element: Fetchable>(
    _ type: Element.Type,
    _ statement: Statement,
    _ adapter: (any RowAdapter)?
  ) throws -> [Element]? {
    let fetched = try fetch(type, isSingle: false, statement, adapter) { request in
      ElementsRule(
        request: request,
        form: ElementsRule.Form(
          kind: .allRows,
          decode: Self.sendable { try HeldElement<Element>.fetched(from: $0) },
          value: Self.sendable { $0 },
          elements: Self.sendable { $0 },
          fetch: Self.sendable { db in try request.fetchAll(db) }
        )
      )
    }
    return fetched?.map(\.element)
  }

  /// Fetches the element of the first row of a statement whose arguments are bound.
  ///
  /// - Returns: The element; `.none` when the statement is to run as if it were not observed.
  /// - Throws: The error of the statement, or of the element.
  func fetchOne<Element: Fetchable>(
    _ type: Element.Type,
    _ statement: Statement,
    _ adapter: (any RowAdapter)?
  ) throws -> Element?? {
    let fetched = try fetch(type, isSingle: true, statement, adapter) { request in
      ElementsRule(
        request: request,
        form: ElementsRule.Form(
          kind: .firstRow,
          decode: Self.sendable { try HeldElement<Element>.fetchedOne(from: $0) },
          value: Self.sendable { $0.first ?? nil },
          elements: Self.sendable { _ in nil },
          fetch: Self.sendable { db in try request.fetchOne(db) }
        )
      )
    }
    return fetched.map { $0?.element }
  }

  /// Returns a function that another thread may call. It uses nothing but the type of the elements,
  /// whose conformances belong to no actor: the closure called them in a run, on any thread.
  private static func sendable<Input, Output>(
    _ body: @escaping (Input) throws -> Output
  ) -> @Sendable (Input) throws -> Output {
    unsafeBitCast(body, to: (@Sendable (Input) throws -> Output).self)
  }

  private static func sendable<Input, Output>(
    _ body: @escaping (Input) -> Output
  ) -> @Sendable (Input) -> Output {
    unsafeBitCast(body, to: (@Sendable (Input) -> Output).self)
  }

  private func fetch<Element: Fetchable, Form, Value>(
    _ type: Element.Type,
    isSingle: Bool,
    _ statement: Statement,
    _ adapter: (any RowAdapter)?,
    _ makeRule: (StatementRequest<Element>) -> ElementsRule<StatementRequest<Element>, Form, Value>
  ) throws -> Value? {
    let db = statement.database
    // Arguments that were bound by SQLite's own functions are not known.
    guard statement.isReadonly, !statement.isRunning, statement.bindingFailure == nil,
      statement.boundValues.allSatisfy({ $0 != nil }), adapter == nil || adapter is any Hashable
    else { return nil }
    fetches += 1
    guard used.count < ClosureFetches.maximumFetches, SharedValues.isValue(type) else { return nil }
    let key = ClosureFetch(
      element: ObjectIdentifier(type),
      isSingle: isSingle,
      sql: statement.sql,
      arguments: statement.boundValues.compactMap { $0 },
      adapter: adapter.map { HashableRowAdapter($0) }
    )
    if let known = results[key], let known = known as? Value {
      // It sees the same snapshot.
      if patched.contains(key) { patches += 1 }
      return known
    }
    guard used[key] == nil else { return nil }
    typealias Fetcher = PatchingFetcher<ElementsRule<StatementRequest<Element>, Form, Value>>
    let request = StatementRequest<Element>(
      sql: key.sql,
      arguments: key.arguments,
      adapter: adapter
    )
    let fetcher = known[key] as? Fetcher ?? Fetcher(makeRule(request))
    used[key] = fetcher
    // What it runs itself is no fetch of the closure.
    db.fetchInterceptor = nil
    defer { db.fetchInterceptor = self }
    let areConstant = db.regionRecorder?.argumentsAreConstant ?? false
    let (result, recorder) = db.recordingRegion(argumentsAreConstant: areConstant) {
      let fetched = try fetcher.fetch(db, in: number, changed: changed)
      if fetched.isUnchanged != nil {
        patches += 1
        patched.insert(key)
        // Patches are not recorded.
        try statement.setArguments(StatementArguments(values: key.arguments, namedValues: [:]))
        try db.regionRecorder?.record(statement)
      }
      return fetched
    }
    db.regionRecorder?.record(recorder)
    let fetched = try result.get()
    inputs.formUnion(fetched.inputs)
    if let keep = fetched.keep {
      keeps.append { keep(nil) }
      results[key] = fetched.value
    }
    return fetched.value
  }
}

/// A statement with its arguments, as a request.
struct StatementRequest<Element: Fetchable>: FetchRequest, Sendable {
  typealias RowDecoder = HeldElement<Element>

  let sql: String
  let arguments: [DatabaseValue]
  let adapter: (any RowAdapter)?

  func makePreparedRequest(_ db: Database, forSingleResult: Bool) throws -> PreparedRequest {
    let statement = try db.cachedStatement(sql: sql)
    try statement.setArguments(StatementArguments(values: arguments, namedValues: [:]))
    return PreparedRequest(statement: statement, adapter: adapter)
  }
}

/// An element that is handed out again with a later result.
///
/// It can be sent to another thread, because it is a value: see ``SharedValues``.
struct HeldElement<Element: Fetchable>: Fetchable, @unchecked Sendable {
  let element: Element

  static func fetched(from row: Row) throws -> Self {
    Self(element: try Element.fetched(from: row))
  }

  static func fetchedOne(from row: Row) throws -> Self? {
    try Element.fetchedOne(from: row).map { Self(element: $0) }
  }
}
