internal import CWellspringSQLite

extension Configuration {
  /// The largest values, statements and results that SQLite accepts on a connection.
  ///
  ///     configuration.limits.length = 16_000_000
  ///     configuration.limits.sqlLength = 100_000
  ///
  /// What exceeds a limit fails with `SQLITE_TOOBIG` or `SQLITE_ERROR`. A limit that is `nil` is
  /// the one that SQLite was built with, and no limit can be larger than that one.
  /// https://www.sqlite.org/limits.html
  public struct Limits: Sendable, Equatable {
    /// The number of bytes of a string, a BLOB or a row: `SQLITE_LIMIT_LENGTH`.
    public var length: Int?
    /// The number of bytes of an SQL statement: `SQLITE_LIMIT_SQL_LENGTH`.
    public var sqlLength: Int?
    /// The number of columns of a table, an index or a result: `SQLITE_LIMIT_COLUMN`.
    public var columnCount: Int?
    /// The depth of the tree of an expression: `SQLITE_LIMIT_EXPR_DEPTH`.
    public var expressionDepth: Int?
    /// The number of queries that `UNION` and similar join: `SQLITE_LIMIT_COMPOUND_SELECT`.
    public var compoundSelectCount: Int?
    /// The number of instructions of a compiled statement: `SQLITE_LIMIT_VDBE_OP`.
    public var instructionCount: Int?
    /// The number of arguments of a function: `SQLITE_LIMIT_FUNCTION_ARG`.
    public var functionArgumentCount: Int?
    /// The number of attached databases: `SQLITE_LIMIT_ATTACHED`.
    public var attachedDatabaseCount: Int?
    /// The number of bytes of a pattern of `LIKE` or `GLOB`: `SQLITE_LIMIT_LIKE_PATTERN_LENGTH`.
    public var likePatternLength: Int?
    /// The number of parameters of a statement: `SQLITE_LIMIT_VARIABLE_NUMBER`.
    public var parameterCount: Int?
    /// The depth to which triggers fire triggers: `SQLITE_LIMIT_TRIGGER_DEPTH`.
    public var triggerDepth: Int?
    /// The number of threads that help a statement: `SQLITE_LIMIT_WORKER_THREADS`.
    public var workerThreadCount: Int?

    /// Creates limits that are all `nil`.
    public init() {}

    /// The limits of ``Configuration/untrusted``.
    static var untrusted: Limits {
      var limits = Limits()
      limits.length = 50_000_000
      limits.sqlLength = 1_000_000
      limits.expressionDepth = 200
      limits.compoundSelectCount = 50
      limits.instructionCount = 250_000
      limits.attachedDatabaseCount = 0
      limits.likePatternLength = 1000
      limits.triggerDepth = 10
      limits.workerThreadCount = 0
      return limits
    }

    func apply(to connection: OpaquePointer) {
      let values: KeyValuePairs = [
        SQLITE_LIMIT_LENGTH: length,
        SQLITE_LIMIT_SQL_LENGTH: sqlLength,
        SQLITE_LIMIT_COLUMN: columnCount,
        SQLITE_LIMIT_EXPR_DEPTH: expressionDepth,
        SQLITE_LIMIT_COMPOUND_SELECT: compoundSelectCount,
        SQLITE_LIMIT_VDBE_OP: instructionCount,
        SQLITE_LIMIT_FUNCTION_ARG: functionArgumentCount,
        SQLITE_LIMIT_ATTACHED: attachedDatabaseCount,
        SQLITE_LIMIT_LIKE_PATTERN_LENGTH: likePatternLength,
        SQLITE_LIMIT_VARIABLE_NUMBER: parameterCount,
        SQLITE_LIMIT_TRIGGER_DEPTH: triggerDepth,
        SQLITE_LIMIT_WORKER_THREADS: workerThreadCount,
      ]
      for (limit, value) in values {
        // SQLite would only return the limit for a negative number.
        if let value { sqlite3_limit(connection, limit, Int32(clamping: max(value, 0))) }
      }
    }
  }
}
