/// Fetches the values of a query, and patches the last value where that is possible and pays.
protocol ValuePatcher<Value>: AnyObject, Sendable {
  associatedtype Value: Sendable

  /// Fetches the value.
  ///
  /// - Parameters:
  ///   - db: A snapshot.
  ///   - number: Its number.
  ///   - changed: The rows that have changed since the last value; `nil` if they are not known.
  /// - Returns: The value, and how it came about.
  /// - Throws: The error of the query.
  func fetch(
    _ db: Database,
    in number: CommitNumber,
    changed: ChangedRows?
  ) throws -> PatchedFetch<Value>

  /// Why the query is not patched; `nil` when no reason is known.
  var obstacle: PatchObstacle? { get }

  /// The statement, and how its result is patched; `nil` if the last result is not kept.
  var plan: (sql: String, description: String)? { get }
}

/// A value that was fetched as a whole, or patched.
struct PatchedFetch<Value: Sendable>: Sendable {
  let value: Value
  /// What the next patch must know of each commit; nothing if the value cannot be patched.
  var inputs = PatchInputs.none
  /// Whether the value equals the last one; `nil` if it was fetched as a whole.
  var isUnchanged: Bool?
  /// Whether a closure made the value, and all of its fetches were patched.
  var hasPatches = false
  /// How the value came about; `nil` if it is not kept.
  var origin: ValueOrigin?
  /// Keeps the value for the next patch. Called once the snapshot is known to be good.
  var keep: Keep?

  /// Keeps a value, and returns the bytes that this takes beside it.
  ///
  /// - Parameter equal: The value that the subscribers hold, if the new one is equal to it and need
  ///   not be kept a second time.
  typealias Keep = @Sendable (_ equal: HeldValue<Value>?) -> Int
}

/// A value that subscribers hold.
struct HeldValue<Value: Sendable>: Sendable {
  let value: Value
  /// How it came about, if that is known.
  var origin: ValueOrigin?
}

/// A request whose values can be patched.
protocol PatchableRequest {
  associatedtype PatchedValue: Sendable
  associatedtype Request: FetchRequest

  /// The fetch request.
  var request: Request { get }

  /// Makes what fetches the values of one query; `nil` if they cannot be patched.
  func makePatcher() -> (any ValuePatcher<PatchedValue>)?
}
