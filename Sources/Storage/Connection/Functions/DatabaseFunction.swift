internal import CWellspringSQLite

/// A function written in Swift that SQL can call.
///
///     let initial = DatabaseFunction("initial", argumentCount: 1, pure: true) { values in
///       String.fromDatabaseValue(values[0]).map { String($0.prefix(1)) }
///     }
///     db.add(function: initial)
///     Player.select { initial($0.name) }
///     // SELECT initial("name") FROM "player"
///
/// A function belongs to the connection that it was added to. To add it to all connections of a
/// pool:
///
///     configuration.prepareDatabase { db in db.add(function: initial) }
///
/// An error that a function throws makes the statement fail with a ``DatabaseError``. A thrown
/// ``DatabaseError`` keeps its code and message; for other errors, the code is `SQLITE_ERROR` and
/// the message is the error's description.
///
/// Functions may be called on any thread, and must not use the connection that calls them.
/// See ``TypedFunction`` for functions with typed arguments.
public struct DatabaseFunction: Sendable {
  /// The name by which SQL calls the function. Case does not matter.
  public let name: String

  /// How many arguments the function takes; `nil` for any number.
  public let argumentCount: Int?

  /// Whether the function always gives the same result for the same arguments, so that indexes and
  /// generated columns can use it.
  public let isPure: Bool

  /// How SQLite calls the function.
  let kind: any FunctionKind

  init(_ name: String, argumentCount: Int?, pure: Bool, kind: some FunctionKind) {
    precondition(
      (1...255).contains(name.utf8.count) && !name.utf8.contains(0),
      "A function name must have 1 to 255 bytes and no NUL character."
    )
    precondition(
      argumentCount.map { (0...127).contains($0) } ?? true,
      "A function takes at most 127 arguments."
    )
    self.name = name
    self.argumentCount = argumentCount
    isPure = pure
    self.kind = kind
  }

  /// Creates a function that computes a value from its arguments.
  ///
  /// - Parameters:
  ///   - name: The name of the function in SQL.
  ///   - argumentCount: How many arguments it takes; `nil` for any number.
  ///   - pure: Whether it always gives the same result for the same arguments.
  ///   - function: Computes the value. `nil` means NULL.
  public init(
    _ name: String,
    argumentCount: Int? = nil,
    pure: Bool = false,
    function: @escaping @Sendable ([DatabaseValue]) throws -> (any DatabaseValueConvertible)?
  ) {
    self.init(
      name,
      argumentCount: argumentCount,
      pure: pure,
      kind: ScalarFunction { try function($0.databaseValues)?.databaseValue ?? .null }
    )
  }

  /// Returns an expression that calls the function.
  ///
  ///     Player.select { initial($0.name) }
  ///     // SELECT initial("name") FROM "player"
  public func callAsFunction(_ arguments: any SQLExpressible...) -> SQLExpression {
    SQLExpression(
      FunctionCall(
        name: name.sqlWord,
        arguments: arguments.map(\.node),
        isAggregateFunction: kind.isAggregate
      )
    )
  }
}

/// How SQLite calls a function: once for each row, or step by step over many rows.
protocol FunctionKind: Sendable {
  /// Whether the function computes one value from many rows. The default is `false`.
  var isAggregate: Bool { get }

  /// Registers a function of this kind with SQLite.
  ///
  /// - Returns: SQLite's result code.
  func define(_ signature: FunctionSignature, on connection: OpaquePointer) -> Int32
}

extension FunctionKind {
  var isAggregate: Bool { false }
}

/// The properties of a function of any kind that SQLite needs.
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

/// The arguments of a function call. SQLite owns them; they are valid only during the call.
struct FunctionArguments: RandomAccessCollection {
  private let values: UnsafeMutablePointer<OpaquePointer?>?
  let count: Int

  init(_ values: UnsafeMutablePointer<OpaquePointer?>?, count: Int) {
    self.values = values
    self.count = count
  }

  var startIndex: Int { 0 }
  var endIndex: Int { count }
  subscript(index: Int) -> ColumnValue { ColumnValue(sqliteValue: values![index]!) }

  /// Copies of the arguments.
  var databaseValues: [DatabaseValue] { map(\.databaseValue) }
}

extension Database {
  /// Adds a function to the connection, or replaces the function with its name and number of
  /// arguments.
  ///
  ///     configuration.prepareDatabase { db in db.add(function: initial) }
  ///
  /// - Precondition: No statement of the connection is running when a function is replaced.
  public func add(function: DatabaseFunction) {
    define(function, by: function.kind)
  }

  /// Adds a typed function to the connection, or replaces the function with its name and number of
  /// arguments.
  ///
  ///     configuration.prepareDatabase { db in db.add(function: conforms) }
  ///
  /// - Precondition: No statement of the connection is running when a function is replaced.
  public func add<Result, each Argument>(function: TypedFunction<Result, repeat each Argument>) {
    add(function: function.function)
  }

  /// Removes the function with this name and number of arguments.
  ///
  /// - Precondition: No statement of the connection is running.
  public func remove(function: DatabaseFunction) {
    define(function, by: NoFunction())
  }

  private func define(_ function: DatabaseFunction, by kind: any FunctionKind) {
    let code = kind.define(
      FunctionSignature(
        name: function.name,
        argumentCount: Int32(function.argumentCount ?? -1),
        flags: SQLITE_UTF8 | (function.isPure ? SQLITE_DETERMINISTIC : 0)
      ),
      on: sqliteConnection
    )
    precondition(
      code == SQLITE_OK,
      """
      A function cannot be replaced or removed while statements that may call it are running. \
      Do it before the fetch, or after its cursors have ended.
      """
    )
    // SQLite does this only when the function replaces one with the same number of arguments.
    expireStatements()
  }
}
