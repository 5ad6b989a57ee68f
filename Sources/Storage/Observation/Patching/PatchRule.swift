/// How the values of one kind of query are kept and patched.
protocol PatchRule: Sendable {
  /// The type of the values.
  associatedtype Value: Sendable
  /// What is kept of a value for the next patch.
  associatedtype Kept: KeptResult

  /// Fetches the value.
  func fetch(_ db: Database) throws -> Value

  /// Fetches the value in a way that allows the next one to be patched.
  ///
  /// - Parameter db: A snapshot.
  /// - Returns: The value; `nil` when it can only be fetched.
  /// - Throws: ``PatchObstacle`` when that will not change, or the error of the query.
  func fetchKeeping(_ db: Database) throws -> Patched<Value, Kept>?

  /// Patches the last value.
  ///
  /// - Parameters:
  ///   - kept: What was kept of it.
  ///   - changed: All rows of its tables that have changed since.
  ///   - db: A snapshot in which no other row has changed.
  /// - Returns: The value; `nil` when it must be fetched.
  /// - Throws: Any error, after which the value must be fetched.
  func patch(
    _ kept: Kept,
    changed: ChangedRows,
    _ db: Database
  ) throws -> Patched<Value, Kept>?
}

/// A value that can be patched.
struct Patched<Value: Sendable, Kept: Sendable>: Sendable {
  let value: Value
  /// What the next patch must know of each commit.
  let inputs: PatchInputs
  /// Whether the value equals the last one; `nil` if it was fetched as a whole.
  var isUnchanged: Bool?
  /// The places at which the value differs from the last one; `nil` if it is no array that was
  /// patched.
  var patch: ElementsPatch?
  /// Makes what is kept of the value. Called once at most, when the snapshot is known to be good.
  ///
  /// Instead of the value, an equal one can be kept that the subscribers hold.
  let keep: @Sendable (_ equal: Value?) -> Kept
}

/// What is kept of a value for the next patch.
protocol KeptResult: Sendable {
  /// How many bytes are held beside the value.
  var memory: Int { get }
  /// The statement, and how its result is patched.
  var plan: (sql: String, description: String) { get }
  /// Whether a second statement read the rows to keep it.
  var takesSecondRun: Bool { get }
}

extension KeptResult {
  var takesSecondRun: Bool { false }
}

/// A result with elements that can be patched.
protocol PatchedElements<Element>: Sendable {
  associatedtype Element

  var elements: [Element] { get set }
  /// What the next patch must know of each commit.
  var inputs: PatchInputs { get }
}

/// A result whose elements are made of the rows of queries.
protocol PatchedRows<Element>: PatchedElements {
  /// Patches the result.
  ///
  /// - Parameters:
  ///   - changed: All rows of its tables that have changed since the result was current.
  ///   - db: A snapshot in which no other row has changed.
  ///   - form: What elements are made of.
  ///   - decode: Makes an element of a row.
  /// - Returns: Which elements have changed; `nil` when the whole query must run.
  /// - Throws: Any error, after which the whole query must run.
  mutating func patch(
    changed: ChangedRows,
    _ db: Database,
    _ form: RowForm,
    _ decode: @escaping (Row) throws -> Element
  ) throws -> RowPatch?
}

extension PatchedElements {
  /// Replaces the elements by equal ones.
  mutating func share(_ equal: [Element]) {
    if equal.count == elements.count { elements = equal }
  }
}

extension FetchRequest {
  /// Compiles the query if its result can be patched; otherwise returns `nil`.
  ///
  /// - Parameters:
  ///   - db: A snapshot.
  ///   - isSingle: Whether only the first row is fetched.
  ///   - canPrefetch: Whether further statements may fetch associated rows.
  /// - Returns: The compiled request.
  /// - Throws: The error of the request.
  func prepareForPatches(
    _ db: Database,
    forSingleResult isSingle: Bool,
    canPrefetch: Bool = false
  ) throws -> PreparedRequest? {
    let prepared = try makePreparedRequest(db, forSingleResult: isSingle)
    // A request may read the database to make its query.
    guard db.regionRecorder?.statements.isEmpty != false,
      canPrefetch || prepared.prefetches.isEmpty
    else { return nil }
    return prepared
  }
}
