internal import CWellspringSQLite

/// An error of SQLite, or of this library with one of SQLite's result codes.
///
///     do {
///       try item.insert(db)
///     } catch DatabaseError.SQLITE_CONSTRAINT {
///       // a constraint of the table
///     } catch let error as DatabaseError {
///       print(error.extendedResultCode, error.message ?? "", error.sql ?? "")
///     }
public struct DatabaseError: Error, Sendable {
  /// The extended result code, such as `SQLITE_CONSTRAINT_UNIQUE`, or a primary one.
  public let extendedResultCode: ResultCode

  /// The primary result code, such as `SQLITE_CONSTRAINT`.
  public var resultCode: ResultCode { extendedResultCode.primaryResultCode }

  /// The English description of the problem.
  public let message: String?

  /// The SQL that failed.
  public let sql: String?

  /// The byte offset in ``sql`` at which SQLite found the error, if it is known.
  public let sqlOffset: Int?

  /// The arguments of the SQL.
  ///
  /// The ``description`` contains them only if ``Configuration/publicStatementArguments`` is set,
  /// because they may hold personal data.
  public let arguments: StatementArguments?

  /// The error that led to a rollback, when this error is the failure of that rollback.
  public let underlyingError: (any Error)?

  let showsArguments: Bool

  /// Makes an error, for code that must fail with a result code, such as a custom function.
  public init(
    resultCode: ResultCode = .SQLITE_ERROR,
    message: String? = nil,
    sql: String? = nil,
    arguments: StatementArguments? = nil
  ) {
    self.init(
      resultCode: resultCode,
      message: message,
      sql: sql,
      sqlOffset: nil,
      arguments: arguments,
      showsArguments: false
    )
  }

  init(
    resultCode: ResultCode,
    message: String?,
    sql: String? = nil,
    sqlOffset: Int?,
    arguments: StatementArguments? = nil,
    showsArguments: Bool,
    underlyingError: (any Error)? = nil
  ) {
    self.extendedResultCode = resultCode
    self.message = message
    self.sql = sql
    self.sqlOffset = sqlOffset
    self.arguments = arguments
    self.showsArguments = showsArguments
    self.underlyingError = underlyingError
  }

  /// Makes the error of a call to SQLite that has just returned `code`.
  @inline(never)
  init(
    code: Int32,
    connection: OpaquePointer?,
    sql: String? = nil,
    sqlStart: Int = 0,
    arguments: StatementArguments? = nil,
    showsArguments: Bool = false
  ) {
    var message = String(cString: sqlite3_errstr(code))
    var sqlOffset: Int?
    // The connection describes its last call: use that only if it has the same code.
    if let connection, sqlite3_errcode(connection) & 0xFF == code & 0xFF {
      message = String(cString: sqlite3_errmsg(connection))
      let offset = sqlite3_error_offset(connection)
      if offset >= 0, sql != nil { sqlOffset = sqlStart + Int(offset) }
      if let resource = Self.missingResource(code: code, connection) {
        message += ": \(resource)"
      } else if code == CWellspringSQLite.SQLITE_ERROR,
        let option = Self.missingOption(message: message, sql: sql)
      {
        message += ": \(option.absence)"
      } else if let collation = Self.missingCollation(message: message, connection) {
        message += ": \(collation)"
      }
    }
    self.init(
      resultCode: ResultCode(rawValue: code),
      message: message,
      sql: sql,
      sqlOffset: sqlOffset,
      arguments: arguments,
      showsArguments: showsArguments
    )
  }

  /// Returns this error with more details: the SQL, its arguments, or the error that led to the
  /// failed rollback.
  func with(
    sql: String? = nil,
    arguments: StatementArguments? = nil,
    showsArguments: Bool? = nil,
    underlying error: (any Error)? = nil
  ) -> DatabaseError {
    DatabaseError(
      resultCode: extendedResultCode,
      message: message,
      sql: sql ?? self.sql,
      sqlOffset: sqlOffset,
      arguments: arguments ?? self.arguments,
      showsArguments: showsArguments ?? self.showsArguments,
      underlyingError: error ?? underlyingError
    )
  }
}

extension DatabaseError {
  /// Whether the statement was stopped by ``DatabaseReader/interrupt()``, or could not run because
  /// its transaction was rolled back: `SQLITE_INTERRUPT` or `SQLITE_ABORT`.
  public var isInterruptionError: Bool {
    resultCode == .SQLITE_INTERRUPT || resultCode == .SQLITE_ABORT
  }

  /// The error of an access to a closed database.
  public static let databaseIsClosed = DatabaseError(
    resultCode: .SQLITE_MISUSE,
    message: "the database is closed"
  )

  /// The error of an access to a database that shuts down: see
  /// ``DatabaseReader/shutDown(within:)``.
  public static let databaseIsShuttingDown = DatabaseError(
    resultCode: .SQLITE_MISUSE,
    message: "the database is shutting down"
  )

  /// Whether this is ``databaseIsClosed`` or ``databaseIsShuttingDown``.
  public var isDatabaseClosed: Bool {
    [Self.databaseIsClosed, .databaseIsShuttingDown].contains { error in
      extendedResultCode == error.extendedResultCode && message == error.message
    }
  }
}

extension DatabaseError {
  /// Returns the error of a wrong use of this library. The message names the correct use.
  package static func misuse(_ message: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_MISUSE, message: message)
  }

  /// The error of an access in a forked child process to a database that the parent process opened.
  static let usedAfterFork = DatabaseError(
    resultCode: .SQLITE_MISUSE,
    message: """
      the database was opened before this process was forked, and belongs to the parent process: \
      fork before opening databases, or let the child process execute another program
      """
  )
}

extension DatabaseError: CustomStringConvertible {
  /// The code, the message and the SQL, in one line.
  ///
  /// An extended code has its name:
  ///
  /// ```text
  /// SQLite error 1: near "FORM": syntax error - while executing "SELECT * FORM item"
  /// SQLite error 2067 (SQLITE_CONSTRAINT_UNIQUE): UNIQUE constraint failed: item.name
  /// ```
  public var description: String {
    var text = "SQLite error \(extendedResultCode.rawValue)"
    if extendedResultCode != resultCode, let name = extendedResultCode.name { text += " (\(name))" }
    if let message { text += ": \(message)" }
    if let sql { text += " - while executing \"\(sql)\"" }
    if showsArguments, let arguments, !arguments.isEmpty { text += " with arguments \(arguments)" }
    if let underlyingError { text += " (after: \(underlyingError))" }
    return text
  }

  /// The ``description`` with the arguments, independent of the configuration.
  public var expandedDescription: String {
    with(showsArguments: true).description
  }
}

/// Matches an error by its result code, in `catch` and `case`.
///
/// A primary code matches all of its extensions: `SQLITE_CONSTRAINT` matches an error whose code is
/// `SQLITE_CONSTRAINT_UNIQUE`.
public func ~= (code: ResultCode, error: any Error) -> Bool {
  guard let error = error as? DatabaseError else { return false }
  return code.matches(error.extendedResultCode)
}
