internal import CWellspringSQLite

/// A function in Swift that SQL can call.
///
///     let initial = DatabaseFunction("initial", argumentCount: 1, pure: true) { values in
///       String.fromDatabaseValue(values[0]).map { String($0.prefix(1)) }
///     }
///     db.add(function: initial)
///     Player.select { initial($0.name) }
///     // SELECT initial("name") FROM "player"
///
/// A connection knows the functions that were added to it. Those of a pool are added to each of them:
///
///     configuration.prepareDatabase { db in db.add(function: initial) }
///
/// What a function throws makes the statement fail with a ``DatabaseError``: with the code and the message
/// of a ``DatabaseError``, otherwise with `SQLITE_ERROR` and the description of the error.
///
/// Functions may be called on any thread, and must not use the connection that calls them.
/// See ``TypedFunction`` for functions whose arguments have types.
public struct DatabaseFunction: Sendable {
  /// The name, by which SQL calls the function. Case does not matter.
  public let name: String

  /// How many arguments the function takes; `nil` for any number of them.
  public let argumentCount: Int?

  /// Whether the function gives the same result for the same arguments always, so that indexes and
  /// generated columns can use it.
  public let isPure: Bool

  /// How SQLite calls the function.
  let kind: any FunctionKind

  init(_ name: String, argumentCount: Int?, pure: Bool, kind: some FunctionKind) {
    precondition(
      (1...255).contains(name.utf8.count) && !name.utf8.contains(0),
      "The name of a function has 1 to 255 bytes, and no NUL among them."
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

  /// Makes a function that computes a value of its arguments.
  ///
  /// - Parameters:
  ///   - name: The name, by which SQL calls the function.
  ///   - argumentCount: How many arguments it takes; any number of them unless given.
  ///   - pure: Whether it gives the same result for the same arguments always.
  ///   - function: Computes the value; `nil` stands for NULL.
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

  /// The call of the function.
  ///
  ///     Player.select { initial($0.name) }
  ///     // SELECT initial("name") FROM "player"
  public func callAsFunction(_ arguments: any SQLExpressible...) -> SQLExpression {
    .function(name.sqlWord, arguments)
  }
}

// MARK: - Connections

extension Database {
  /// Adds a function to the connection, or replaces the one that has its name and number of arguments.
  ///
  ///     configuration.prepareDatabase { db in db.add(function: initial) }
  ///
  /// - Precondition: No statement of the connection runs when a function is replaced.
  public func add(function: DatabaseFunction) {
    define(function, by: function.kind)
  }

  /// Removes the function with this name and number of arguments.
  ///
  /// - Precondition: No statement of the connection runs.
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
      "A function cannot be replaced or removed while statements run that may call it."
    )
  }
}
