internal import CWellspringSQLite
internal import FoundationEssentials

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

/// A function call by SQLite, which receives the result or an error.
struct FunctionCallContext {
  private let context: OpaquePointer

  init(_ context: OpaquePointer) {
    self.context = context
  }

  /// Sets the result of the call.
  func returnValue(_ value: DatabaseValue) {
    switch value.storage {
    case .null:
      sqlite3_result_null(context)
    case .int64(let value):
      sqlite3_result_int64(context, value)
    case .double(let value):
      if let unstorable = UnstorableValue(value) {
        return fail(unstorable.error(in: "the result of a function"))
      }
      sqlite3_result_double(context, value)
    case .string(var text):
      text.withUTF8 { bytes in
        guard let start = bytes.baseAddress else {
          return sqlite3_result_text(context, "", 0, wellspring_transient())
        }
        start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
          sqlite3_result_text64(
            context,
            $0,
            UInt64(bytes.count),
            wellspring_transient(),
            UInt8(SQLITE_UTF8)
          )
        }
      }
    case .blob(let data):
      data.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress, bytes.count > 0 else {
          return sqlite3_result_zeroblob(context, 0)
        }
        sqlite3_result_blob64(context, start, UInt64(bytes.count), wellspring_transient())
      }
    }
  }

  /// Makes the calling statement fail with an error.
  func fail(_ error: any Error) {
    let error = error as? DatabaseError ?? DatabaseError(message: "\(error)")
    sqlite3_result_error(context, error.message ?? "\(error)", -1)
    // The code must be set last: setting the message resets it.
    sqlite3_result_error_code(context, error.extendedResultCode.rawValue)
  }
}
