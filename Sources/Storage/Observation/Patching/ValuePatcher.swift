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
  /// The data of each commit that the next patch needs; empty if the value cannot be patched.
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

  /// Makes the patcher that fetches the values of one query; `nil` if they cannot be patched.
  func makePatcher() -> (any ValuePatcher<PatchedValue>)?
}

/// An observation request whose value is made of the first element of a fetch request.
package protocol SingleElementRequest: Sendable {
  /// The type of the value.
  associatedtype Value: Sendable
  /// The type of the fetch request.
  associatedtype Request: FetchRequest & Hashable & Sendable
  where Request.RowDecoder: Fetchable & Sendable

  /// The fetch request.
  var request: Request { get }

  /// Fetches the value.
  ///
  /// - Throws: The error of the request, or of a value that cannot be made.
  func fetch(_ db: Database) throws -> Value

  /// Returns the value for the first element, which is `nil` when there is no row or its value is
  /// NULL.
  ///
  /// - Returns: The value; `nil` when ``fetch(_:)`` has to find it, or throws.
  static func value(of element: Request.RowDecoder?) -> Value?
}

extension SingleElementRequest {
  func makePatcher() -> any ValuePatcher<Value> {
    ElementsPatcher(of: self)
  }
}

/// The result of a query that is kept for the next patch.
enum KeptResult<Element>: Sendable {
  case rows(PatchedResult<Element>)
  /// The rows are counted: the element is made of their number.
  case number(NumberResult)
  /// The rows are groups, or are about all rows.
  case groups(AggregateResult<Element>)
  /// The rows come from several queries.
  case compound(CompoundResult<Element>)

  /// The values of the query's parameters.
  var arguments: [DatabaseValue] {
    switch self {
    case .rows(let rows): rows.arguments
    case .number(let number): number.arguments
    case .groups(let groups): groups.arguments
    case .compound(let compound): compound.arguments
    }
  }

  /// The bytes that are held beside the value.
  var memory: Int {
    switch self {
    case .rows(let rows): rows.memory
    case .number(let number): number.rows.memory
    case .groups(let groups): groups.rows.memory
    case .compound(let compound): compound.memory
    }
  }

  /// How the result is patched, line by line.
  var description: String {
    switch self {
    case .rows(let rows): rows.plan.description()
    case .number(let number): number.plan.description(of: "the number of")
    case .groups(let groups): groups.plan.description(of: "groups or aggregates of")
    case .compound(let compound): compound.plans.map { $0.description() }.joined(separator: "\n")
    }
  }

  /// Whether a second statement read the rows to keep the result.
  var takesSecondRun: Bool {
    switch self {
    case .rows, .number, .compound: false
    case .groups: true
    }
  }
}
