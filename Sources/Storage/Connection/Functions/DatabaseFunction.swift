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
  ///   - name: The name by which SQL calls the function.
  ///   - argumentCount: How many arguments it takes; `nil` for any number.
  ///   - pure: Whether it always gives the same result for the same arguments.
  ///   - function: Computes the value. `nil` stands for NULL.
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
    .function(name.sqlWord, arguments)
  }
}
