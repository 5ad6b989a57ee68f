internal import CWellspringSQLite

/// How SQLite calls a function: once for each row, or step by step over many rows.
protocol FunctionKind: Sendable {
  /// Tells SQLite of a function of this kind.
  ///
  /// - Returns: SQLite's result code.
  func define(_ signature: FunctionSignature, on connection: OpaquePointer) -> Int32
}

/// What SQLite must know of a function of any kind.
struct FunctionSignature {
  let name: String
  /// -1 for any number.
  let argumentCount: Int32
  let flags: Int32
}

/// The absence of a function.
struct NoFunction: FunctionKind {
  func define(_ signature: FunctionSignature, on connection: OpaquePointer) -> Int32 {
    sqlite3_create_function_v2(
      connection,
      signature.name,
      signature.argumentCount,
      signature.flags,
      nil,
      nil,
      nil,
      nil,
      nil
    )
  }
}

/// A function that computes a value of its arguments.
struct ScalarFunction: FunctionKind {
  let compute: @Sendable (FunctionArguments) throws -> DatabaseValue

  init(_ compute: @escaping @Sendable (FunctionArguments) throws -> DatabaseValue) {
    self.compute = compute
  }

  /// What SQLite keeps of a function.
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
      // SQLite calls it when the function goes, and when it has refused the function.
      { Unmanaged<Box>.fromOpaque($0!).release() }
    )
  }
}
