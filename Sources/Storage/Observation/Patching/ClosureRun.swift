internal import WellspringSystem

/// A run of an observed closure: it answers the closure's fetches by patching their last results.
///
/// It belongs to the thread of the run.
final class ClosureRun: FetchInterceptor {
  typealias Fetchers = [ClosureFetch: any ClosureFetcher]

  /// The answer to a fetch.
  private struct Answer {
    let fetcher: any ClosureFetcher
    /// The elements, if they are kept.
    var elements: Any?
    var isPatched = false
  }

  /// More fetches in a run are not looked at.
  private static let maximumFetches = 50

  private let known: Fetchers
  private let number: CommitNumber
  private let changed: ChangedRows?
  private var answers: [ClosureFetch: Answer] = [:]
  private var keeps: [@Sendable () -> Int] = []
  private var fetches = 0
  private var patches = 0
  /// The data of each commit that the next patches need.
  private(set) var inputs = PatchInputs.none

  /// - Parameters:
  ///   - known: The fetchers of the last run.
  ///   - number: The number of the snapshot.
  ///   - changed: The rows that have changed since the last run; `nil` if they are not known.
  init(_ known: Fetchers, in number: CommitNumber, changed: ChangedRows?) {
    self.known = known
    self.number = number
    self.changed = changed
  }

  /// Whether all fetches were patched.
  var isPatched: Bool { patches > 0 && patches == fetches }

  /// Keeps the results of all fetches, once the snapshot is known to be good, and returns their
  /// fetchers and the bytes that they take.
  var keep: @Sendable () -> (fetchers: Fetchers, memory: Int) {
    { [keeps, fetchers = answers.mapValues(\.fetcher)] in
      (fetchers, keeps.reduce(0) { $0 + $1() })
    }
  }

  func fetchAll<Element: Fetchable>(
    _ type: Element.Type,
    _ request: PreparedRequest
  ) throws -> [Element]? {
    try fetch(type, isSingle: false, request) { HeldElement.patcher(for: $0) }?.elements
  }

  func fetchOne<Element: Fetchable>(
    _ type: Element.Type,
    _ request: PreparedRequest
  ) throws -> Element?? {
    try fetch(type, isSingle: true, request) { ElementsPatcher(first: $0) }
      .map { $0?.element }
  }

  private typealias Patcher<Element: Fetchable, Part, Value: Sendable> =
    ElementsPatcher<StatementRequest<Element>, Part, Value>

  // Copied for each type of the standard library that is fetched, patching would be a fifth of the
  // library's code.
  @_semantics("optimize.sil.specialize.generic.never")
  private func fetch<Element: Fetchable, Part, Value>(
    _ type: Element.Type,
    isSingle: Bool,
    _ prepared: PreparedRequest,
    _ makePatcher: (StatementRequest<Element>) -> Patcher<Element, Part, Value>
  ) throws -> Value? {
    fetches += 1
    let (statement, adapter) = (prepared.statement, prepared.adapter)
    let db = statement.database
    // Arguments that were bound by SQLite's own functions are not known.
    let arguments = statement.boundValues.compactMap { $0 }
    guard answers.count < Self.maximumFetches, SharedValues.isValue(type), statement.isReadonly,
      !statement.isRunning, statement.bindings.failure == nil,
      arguments.count == statement.boundValues.count, adapter == nil || adapter is any Hashable
    else { return nil }
    let key = ClosureFetch(of: type, isSingle: isSingle, prepared, arguments)
    if let answer = answers[key] {
      // It sees the same snapshot.
      guard let elements = answer.elements else { return nil }
      if answer.isPatched { patches += 1 }
      return elements as? Value
    }
    let request = StatementRequest<Element>(prepared, arguments)
    let fetcher = known[key] as? Patcher<Element, Part, Value> ?? makePatcher(request)
    var answer = Answer(fetcher: fetcher)
    defer { answers[key] = answer }
    // Its own queries are not fetches of the closure.
    db.fetchInterceptor = nil
    defer { db.fetchInterceptor = self }
    let areConstant = db.regionRecorder?.argumentsAreConstant ?? false
    let (result, recorder) = db.recordingRegion(argumentsAreConstant: areConstant) {
      let fetched = try fetcher.fetch(db, in: number, changed: changed)
      if fetched.isUnchanged != nil {
        answer.isPatched = true
        // Patches are not recorded.
        try request.recordRegion(db)
      }
      return fetched
    }
    db.regionRecorder?.record(recorder)
    let fetched = try result.get()
    if answer.isPatched { patches += 1 }
    inputs.formUnion(fetched.inputs)
    if let keep = fetched.keep {
      keeps.append { keep(nil) }
      answer.elements = fetched.value
    }
    return fetched.value
  }
}

/// A prepared request with its arguments, as a request.
struct StatementRequest<Element: Fetchable>: FetchRequest, ConstantFetchRequest, Sendable {
  typealias RowDecoder = HeldElement<Element>

  private let sql: String
  private let arguments: [DatabaseValue]
  private let adapter: (any RowAdapter)?
  private let prefetches: [Prefetch]
  private let tableName: String?
  private let hiddenCount: Int

  init(_ prepared: PreparedRequest, _ arguments: [DatabaseValue]) {
    sql = prepared.statement.sql
    self.arguments = arguments
    adapter = prepared.adapter
    prefetches = prepared.prefetches
    tableName = prepared.tableName
    hiddenCount = prepared.hiddenCount
  }

  func makePreparedRequest(_ db: Database, forSingleResult: Bool) throws -> PreparedRequest {
    let statement = try db.cachedStatement(sql: sql)
    try statement.setArguments(StatementArguments(values: arguments, namedValues: [:]))
    var request = PreparedRequest(statement: statement, adapter: adapter, prefetches: prefetches)
    request.tableName = tableName
    request.hiddenCount = hiddenCount
    return request
  }

  /// Records the region of the request, without running it.
  fileprivate func recordRegion(_ db: Database) throws {
    guard let recorder = db.regionRecorder else { return }
    let prepared = try makePreparedRequest(db)
    guard !prefetches.isEmpty else { return try recorder.record(prepared.statement) }
    try recorder.record(
      prepared.databaseRegion(db, argumentsAreConstant: recorder.argumentsAreConstant)
    )
  }
}

/// A type that represents the elements of a fetch in a closure. It can be sent to another thread,
/// because the elements are values: see ``SharedValues``.
protocol ElementHolder: Fetchable, Sendable {
  associatedtype Element: Fetchable

  static func element(from row: Row) throws -> Element

  static func elements(of request: PreparedRequest) throws -> [Element]
}

/// An element that is handed out again with a later result.
struct HeldElement<Element: Fetchable>: ElementHolder, @unchecked Sendable {
  let element: Element

  static func fetched(from row: Row) throws -> Self {
    Self(element: try Element.fetched(from: row))
  }

  static func fetchedOne(from row: Row) throws -> Self? {
    try Element.fetchedOne(from: row).map { Self(element: $0) }
  }

  static func element(from row: Row) throws -> Element { try Element.fetched(from: row) }

  static func elements(of request: PreparedRequest) throws -> [Element] {
    try Element.fetchAll(request)
  }
}

/// The elements of a fetch in a closure: one array, which is not copied for the closure.
struct HeldElements<Holder: ElementHolder>: @unchecked Sendable {
  let elements: [Holder.Element]
}

extension ElementHolder {
  /// Returns the patcher of all elements of a fetch in a closure.
  static func patcher<Request: FetchRequest & Sendable>(
    for request: Request
  ) -> ElementsPatcher<Request, Element, HeldElements<Self>> where Request.RowDecoder == Self {
    ElementsPatcher(
      request,
      ElementsPatcher.Form(
        kind: .allRows,
        decode: { try Self.element(from: $0) },
        value: { HeldElements(elements: $0) },
        elements: { $0.elements },
        fetch: { db in
          let prepared = try request.makePreparedRequest(db, forSingleResult: false)
          return HeldElements(elements: try Self.elements(of: prepared))
        },
        // The value of the closure is compared instead.
        comparesElements: false
      )
    )
  }
}
