internal import CWellspringSQLite

extension Database {
  /// Adds a function to the connection, or replaces the one that has its name and number of
  /// arguments.
  ///
  ///     configuration.prepareDatabase { db in db.add(function: initial) }
  ///
  /// - Precondition: No statement of the connection is running when a function is replaced.
  public func add(function: DatabaseFunction) {
    define(function, by: function.kind)
  }

  /// Adds a typed function to the connection, or replaces the one that has its name and number of
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
