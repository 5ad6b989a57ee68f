internal import CWellspringSQLite

/// A function that computes a value of many rows, and perhaps of the rows of a window.
struct AggregateFunction: FunctionKind {
  /// Whether rows can be given back, as window functions do.
  let givesRowsBack: Bool
  let makeRun: @Sendable () -> FunctionRun

  func define(_ signature: FunctionSignature, on connection: OpaquePointer) -> Int32 {
    // Without these two, it is an aggregate only.
    // https://www.sqlite.org/c3ref/create_function.html
    var value: (@convention(c) (OpaquePointer?) -> Void)?
    var inverse:
      (@convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void)?
    if givesRowsBack {
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

/// The computation of one group of rows.
class FunctionRun {
  /// The first error: nothing is computed after it.
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
  ///   - aggregate: Has seen no row.
  ///   - remove: Gives a row back, in a window.
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

/// What SQLite keeps of a function over many rows.
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

/// Where SQLite keeps the run of a group of rows: memory that holds zeros before the first row.
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

  /// Gives the value over the rows so far.
  func returnValue() { returnValue(of: run ?? FunctionRunMaker.of(context).makeRun()) }

  /// Gives the value, and frees the run. SQLite calls it after an error too.
  func finish() {
    // Without a row there is no run, and no memory is asked for.
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

  /// The run, which begins with the first row; `nil` without memory.
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
