internal import CWellspringSQLite

/// How SQLite calls a function: once for each row, or step by step over many rows.
protocol FunctionKind: Sendable {
  /// Registers a function of this kind with SQLite.
  ///
  /// - Returns: SQLite's result code.
  func define(_ signature: FunctionSignature, on connection: OpaquePointer) -> Int32
}

/// What SQLite must know about a function of any kind.
struct FunctionSignature {
  let name: String
  /// The number of arguments; -1 for any number.
  let argumentCount: Int32
  let flags: Int32
}

/// The absence of a function: defining it removes the function of that signature.
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
