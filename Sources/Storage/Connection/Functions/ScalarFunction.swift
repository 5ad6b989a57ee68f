internal import CWellspringSQLite

/// A function that computes a value from the arguments of one row.
struct ScalarFunction: FunctionKind {
  let compute: @Sendable (FunctionArguments) throws -> DatabaseValue

  init(_ compute: @escaping @Sendable (FunctionArguments) throws -> DatabaseValue) {
    self.compute = compute
  }

  /// The context that SQLite keeps for a function.
  private final class Box {
    let function: ScalarFunction

    init(_ function: ScalarFunction) {
      self.function = function
    }
  }

  func define(_ signature: FunctionSignature, on connection: OpaquePointer) -> Int32 {
    sqlite3_create_function_v2(
      connection,
      signature.name,
      signature.argumentCount,
      signature.flags,
      Unmanaged.passRetained(Box(self)).toOpaque(),
      { context, count, values in
        let box = Unmanaged<Box>.fromOpaque(sqlite3_user_data(context)).takeUnretainedValue()
        let call = FunctionCallContext(context!)
        do {
          let arguments = FunctionArguments(values, count: Int(count))
          call.returnValue(try box.function.compute(arguments))
        } catch {
          call.fail(error)
        }
      },
      nil,
      nil,
      // SQLite calls this when it drops the function, and also when it has refused the function.
      { Unmanaged<Box>.fromOpaque($0!).release() }
    )
  }
}
