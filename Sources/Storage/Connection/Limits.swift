internal import CWellspringSQLite

extension Configuration {
  /// The largest values, statements and results that SQLite accepts on a connection.
  ///
  ///     configuration.limits.length = 16_000_000
  ///     configuration.limits.sqlLength = 100_000
  ///
  /// A statement that exceeds a limit fails with `SQLITE_TOOBIG` or `SQLITE_ERROR`. `nil` means the
  /// limit that SQLite was built with, and no limit can be larger than that.
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

extension Database {
  /// The version of SQLite, as in `3040001` for 3.40.1.
  public static var sqliteLibVersionNumber: Int32 { sqlite3_libversion_number() }

  /// The number of parameters that a statement may have; 32,766 by default.
  ///
  ///     let isTooLong = ids.count > db.maximumStatementArgumentCount
  ///
  /// https://www.sqlite.org/limits.html#max_variable_number
  public var maximumStatementArgumentCount: Int {
    Int(sqlite3_limit(sqliteConnection, SQLITE_LIMIT_VARIABLE_NUMBER, -1))
  }
}

extension Configuration {
  /// The configuration for files of other people, which may be damaged on purpose.
  ///
  ///     let pool = try DatabasePool(path: upload, configuration: .untrusted)
  ///
  /// The file is only read (``readonly``), and not trusted (``trustsFile``). A statement runs for
  /// ten seconds at most (``statementTimeout``), and ``limits`` bound the sizes of values and
  /// statements.
  ///
  /// SQLite still parses the file in this process. A program that needs protection even from a
  /// defect of SQLite should open such files in another process, with limits of the operating
  /// system.
  public static var untrusted: Configuration {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.trustsFile = false
    configuration.statementTimeout = .seconds(10)
    configuration.limits = .untrusted
    return configuration
  }
}

extension Authorizer {
  /// The restriction of a connection's statements.
  enum Restriction {
    /// Everything.
    case none
    /// Everything except the use of other files.
    case ownFile
    /// Only reads.
    case reading

    /// Returns why an action is refused, or `nil` when it is allowed. An empty string means a write
    /// to a file that may only be read.
    func refusal(
      action: Int32,
      _ first: UnsafePointer<CChar>?,
      _ second: UnsafePointer<CChar>?
    ) -> String? {
      switch action {
      case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE, SQLITE_TRANSACTION, SQLITE_SAVEPOINT:
        return nil
      case SQLITE_FUNCTION:
        let name = name(second)
        // Both load code that SQL text names.
        guard name == "load_extension" || name == "fts3_tokenizer" else { return nil }
        return "the file is not trusted: \(name) may not be called"
      case SQLITE_ATTACH, SQLITE_DETACH:
        return "the file is not trusted: no database may be attached or detached"
      case _ where self != .reading:
        return nil
      case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
        // A virtual table compiles such statements when it is connected. SQLite has opened the file
        // for reading only, so that none of them can run.
        return nil
      case SQLITE_PRAGMA:
        let pragma = name(first)
        guard second != nil, !Authorizer.checkPragmas.contains(pragma),
          !Authorizer.schemaPragmas.contains(pragma)
        else { return nil }
        return "the file is not trusted: PRAGMA \(pragma) may not be set"
      default:
        return ""
      }
    }

    private func name(_ pointer: UnsafePointer<CChar>?) -> String {
      pointer.map { String(cString: $0).asciiLowercased } ?? ""
    }
  }
}
