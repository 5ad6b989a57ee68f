internal import CWellspringSQLite

/// A computation over many rows, such as `sum`. SQLite makes one for each group of rows.
///
///     struct MaxLength: DatabaseAggregate {
///       private var maximum: Int?
///
///       mutating func step(_ values: [DatabaseValue]) {
///         guard let text = String.fromDatabaseValue(values[0]) else { return }
///         maximum = max(maximum ?? 0, text.count)
///       }
///
///       func finalize() -> (any DatabaseValueConvertible)? { maximum }
///     }
///
///     let maxLength = DatabaseFunction("maxLength", argumentCount: 1, aggregate: MaxLength.self)
///     db.add(function: maxLength)
///     Player.select { maxLength($0.name) }
///     // SELECT maxLength("name") FROM "player"
///
/// An error that it throws makes the statement fail: see ``DatabaseFunction``.
public protocol DatabaseAggregate: SendableMetatype {
  /// Creates an aggregate that has seen no row.
  init()

  /// Adds a row. `values` are the arguments of the function for this row.
  mutating func step(_ values: [DatabaseValue]) throws

  /// Returns the value over the rows that were added. `nil` means NULL.
  func finalize() throws -> (any DatabaseValueConvertible)?
}

/// An aggregate from which rows can be removed, so that it serves as a window function: the value
/// over a moving window is computed without starting over for each row.
///
///     struct Total: DatabaseWindowAggregate {
///       private var total = 0
///
///       mutating func step(_ values: [DatabaseValue]) {
///         total += Int.fromDatabaseValue(values[0]) ?? 0
///       }
///
///       mutating func remove(_ values: [DatabaseValue]) {
///         total -= Int.fromDatabaseValue(values[0]) ?? 0
///       }
///
///       func finalize() -> (any DatabaseValueConvertible)? { total }
///     }
///
///     // SELECT total("score") OVER (ORDER BY "id" ROWS 2 PRECEDING) FROM "player"
///
/// SQLite calls ``DatabaseAggregate/finalize()`` for each row of the result.
public protocol DatabaseWindowAggregate: DatabaseAggregate {
  /// Removes the oldest row that was added and not yet removed. `values` are the arguments of the
  /// function for this row.
  mutating func remove(_ values: [DatabaseValue]) throws
}

extension DatabaseFunction {
  /// Creates a function that computes a value from many rows. With a ``DatabaseWindowAggregate``,
  /// it also serves as a window function.
  ///
  /// - Parameters:
  ///   - name: The name of the function in SQL.
  ///   - argumentCount: How many arguments it takes; `nil` for any number.
  ///   - pure: Whether it always gives the same result for the same rows.
  ///   - aggregate: The type of the computation.
  public init<Aggregate: DatabaseAggregate>(
    _ name: String,
    argumentCount: Int? = nil,
    pure: Bool = false,
    aggregate: Aggregate.Type
  ) {
    let windowAggregate = aggregate as? any DatabaseWindowAggregate.Type
    self.init(
      name,
      argumentCount: argumentCount,
      pure: pure,
      kind: windowAggregate?.windowFunction
        ?? AggregateFunction(isWindowFunction: false) { AggregateRun(Aggregate()) }
    )
  }
}

extension DatabaseWindowAggregate {
  fileprivate static var windowFunction: AggregateFunction {
    AggregateFunction(isWindowFunction: true) { AggregateRun(Self()) { try $0.remove($1) } }
  }
}

/// A function that computes a value from many rows: an aggregate, or a window function.
struct AggregateFunction: FunctionKind {
  /// Whether rows can be removed again, so that the aggregate serves as a window function.
  let isWindowFunction: Bool
  let makeRun: @Sendable () -> FunctionRun

  var isAggregate: Bool { true }

  func define(_ signature: FunctionSignature, on connection: OpaquePointer) -> Int32 {
    // Without these two callbacks, SQLite accepts the function as an aggregate only.
    // https://www.sqlite.org/c3ref/create_function.html
    var value: (@convention(c) (OpaquePointer?) -> Void)?
    var inverse:
      (@convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void)?
    if isWindowFunction {
      value = { context in FunctionRunSlot(context!).returnValue() }
      inverse = { context, count, values in
        FunctionRunSlot(context!).remove(FunctionArguments(values, count: Int(count)))
      }
    }
    return sqlite3_create_window_function(
      connection,
      signature.name,
      signature.argumentCount,
      signature.flags,
      FunctionRunMaker(makeRun).retained,
      { context, count, values in
        FunctionRunSlot(context!).step(FunctionArguments(values, count: Int(count)))
      },
      { context in FunctionRunSlot(context!).finish() },
      value,
      inverse,
      { FunctionRunMaker.release($0) }
    )
  }
}

// MARK: - Runs

/// The computation over one group of rows.
class FunctionRun {
  /// The first error. Nothing is computed after it.
  fileprivate var error: (any Error)?

  fileprivate func step(_ arguments: FunctionArguments) throws {}
  fileprivate func remove(_ arguments: FunctionArguments) throws {}
  fileprivate func value() throws -> DatabaseValue { .null }
}

/// A run of an aggregate.
final class AggregateRun<Aggregate: DatabaseAggregate>: FunctionRun {
  private var aggregate: Aggregate
  private let remove: (inout Aggregate, [DatabaseValue]) throws -> Void

  /// - Parameters:
  ///   - aggregate: An aggregate that has seen no row.
  ///   - remove: Removes a row that has left the window.
  init(
    _ aggregate: Aggregate,
    remove: @escaping (inout Aggregate, [DatabaseValue]) throws -> Void = { _, _ in }
  ) {
    self.aggregate = aggregate
    self.remove = remove
  }

  override fileprivate func step(_ arguments: FunctionArguments) throws {
    try aggregate.step(arguments.databaseValues)
  }

  override fileprivate func remove(_ arguments: FunctionArguments) throws {
    try remove(&aggregate, arguments.databaseValues)
  }

  override fileprivate func value() throws -> DatabaseValue {
    try aggregate.finalize()?.databaseValue ?? .null
  }
}

/// The context that SQLite keeps for a function over many rows.
private final class FunctionRunMaker {
  let makeRun: @Sendable () -> FunctionRun

  init(_ makeRun: @escaping @Sendable () -> FunctionRun) {
    self.makeRun = makeRun
  }

  var retained: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

  static func release(_ pointer: UnsafeMutableRawPointer?) {
    Unmanaged<FunctionRunMaker>.fromOpaque(pointer!).release()
  }

  static func of(_ context: OpaquePointer) -> FunctionRunMaker {
    Unmanaged<FunctionRunMaker>.fromOpaque(sqlite3_user_data(context)).takeUnretainedValue()
  }
}

/// The memory in which SQLite keeps the run of a group of rows. It is zeroed before the first row.
/// https://www.sqlite.org/c3ref/aggregate_context.html
private struct FunctionRunSlot {
  private let context: OpaquePointer
  private let call: FunctionCallContext

  init(_ context: OpaquePointer) {
    self.context = context
    call = FunctionCallContext(context)
  }

  func step(_ arguments: FunctionArguments) { change { try $0.step(arguments) } }
  func remove(_ arguments: FunctionArguments) { change { try $0.remove(arguments) } }

  /// Returns the value over the rows so far to SQLite.
  func returnValue() { returnValue(of: run ?? FunctionRunMaker.of(context).makeRun()) }

  /// Returns the value to SQLite, and frees the run. SQLite calls it after an error too.
  func finish() {
    // Without rows, no run exists: a size of 0 keeps SQLite from allocating the memory.
    let slot = sqlite3_aggregate_context(context, 0)?.assumingMemoryBound(to: UInt.self)
    guard let slot, let pointer = UnsafeRawPointer(bitPattern: slot.pointee) else {
      return returnValue(of: FunctionRunMaker.of(context).makeRun())
    }
    slot.pointee = 0
    returnValue(of: Unmanaged<FunctionRun>.fromOpaque(pointer).takeRetainedValue())
  }

  private func returnValue(of run: FunctionRun) {
    if let error = run.error { return call.fail(error) }
    do { call.returnValue(try run.value()) } catch { call.fail(error) }
  }

  private func change(_ body: (FunctionRun) throws -> Void) {
    guard let run else { return call.fail(DatabaseError(resultCode: .SQLITE_NOMEM)) }
    guard run.error == nil else { return }
    do {
      try body(run)
    } catch {
      run.error = error
      call.fail(error)
    }
  }

  /// The run, created at the first row; `nil` when memory is exhausted.
  private var run: FunctionRun? {
    let size = Int32(MemoryLayout<UInt>.size)
    guard
      let slot = sqlite3_aggregate_context(context, size)?.assumingMemoryBound(to: UInt.self)
    else { return nil }
    if let pointer = UnsafeRawPointer(bitPattern: slot.pointee) {
      return Unmanaged<FunctionRun>.fromOpaque(pointer).takeUnretainedValue()
    }
    let run = FunctionRunMaker.of(context).makeRun()
    slot.pointee = UInt(bitPattern: Unmanaged.passRetained(run).toOpaque())
    return run
  }
}
