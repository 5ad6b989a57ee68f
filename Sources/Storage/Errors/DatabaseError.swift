internal import CWellspringSQLite

/// A refusal of SQLite, or of this library in SQLite's terms.
///
///     do {
///       try item.insert(db)
///     } catch DatabaseError.SQLITE_CONSTRAINT {
///       // a constraint of the table
///     } catch let error as DatabaseError {
///       print(error.extendedResultCode, error.message ?? "", error.sql ?? "")
///     }
public struct DatabaseError: Error, Sendable {
  /// The code, with its extension when SQLite gave one: `SQLITE_CONSTRAINT_UNIQUE`.
  public let extendedResultCode: ResultCode

  /// The code without its extension: `SQLITE_CONSTRAINT`.
  public var resultCode: ResultCode { extendedResultCode.primaryResultCode }

  /// What went wrong, in English.
  public let message: String?

  /// The SQL that failed.
  public let sql: String?

  /// The byte offset in ``sql`` at which SQLite found the error, when it knows.
  public let sqlOffset: Int?

  /// The arguments of the SQL. They are shown in ``description`` only when
  /// ``Configuration/publicStatementArguments`` is set, because they may hold personal data.
  public let arguments: StatementArguments?

  /// The error that made the library roll back when the rollback failed too.
  public let underlyingError: (any Error)?

  let showsArguments: Bool

  /// Makes an error, for code that must fail in SQLite's terms, such as a custom function.
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

  /// The error that `connection` remembers for the call that has just returned `code`.
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
    // The connection speaks of its last call: trust it only when it speaks of this code.
    if let connection, sqlite3_errcode(connection) & 0xFF == code & 0xFF {
      message = String(cString: sqlite3_errmsg(connection))
      let offset = sqlite3_error_offset(connection)
      if offset >= 0, sql != nil { sqlOffset = sqlStart + Int(offset) }
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

  /// This error with something added: its statement, the arguments of it, or the error that had led to the
  /// rollback that failed.
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
  /// The error of an access to a database that was closed.
  public static let databaseIsClosed = DatabaseError(
    resultCode: .SQLITE_MISUSE,
    message: "the database is closed"
  )

  /// Whether this is ``databaseIsClosed``.
  public var isDatabaseClosed: Bool {
    extendedResultCode == Self.databaseIsClosed.extendedResultCode
      && message == Self.databaseIsClosed.message
  }
}

extension DatabaseError {
  /// The error of an access in a child process to a database that its parent has opened.
  static let usedAfterFork = DatabaseError(
    resultCode: .SQLITE_MISUSE,
    message: """
      the database was opened before this process was forked, and belongs to the parent process: \
      fork before databases are opened, or let the child process run a program of its own
      """
  )
}

extension DatabaseError: CustomStringConvertible {
  /// The code, the message and the SQL, in one line, as in
  /// `SQLite error 1: near "FORM": syntax error - while executing "SELECT * FORM item"`.
  public var description: String {
    var text = "SQLite error \(extendedResultCode.rawValue)"
    if let message { text += ": \(message)" }
    if let sql { text += " - while executing \"\(sql)\"" }
    if showsArguments, let arguments, !arguments.isEmpty { text += " with arguments \(arguments)" }
    if let underlyingError { text += " (after: \(underlyingError))" }
    return text
  }

  /// ``description``, with the arguments whatever the configuration says.
  public var expandedDescription: String {
    with(showsArguments: true).description
  }
}

/// Matches an error by SQLite's code, in `catch` and `case`.
///
/// A primary code matches all of its extensions: `SQLITE_CONSTRAINT` matches an error whose code is
/// `SQLITE_CONSTRAINT_UNIQUE`.
public func ~= (code: ResultCode, error: any Error) -> Bool {
  guard let error = error as? DatabaseError else { return false }
  return code.matches(error.extendedResultCode)
}
