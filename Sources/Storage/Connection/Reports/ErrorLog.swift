internal import CWellspringSQLite
internal import WellspringSystem

extension Database {
  /// A function that receives errors and warnings: see ``logError``.
  public typealias LogErrorFunction =
    @Sendable (_ resultCode: ResultCode, _ message: String) -> Void

  /// The function that receives the errors and warnings that SQLite logs on any connection of the
  /// process, and the errors of this library that no access can throw. The default is `nil`.
  ///
  ///     Database.logError = { code, message in
  ///       print("SQLite \(code.rawValue): \(message)")
  ///     }
  ///
  /// It can be set at any time. SQLite's own messages are lost, however, when other code of the
  /// process used SQLite before this library opened its first database.
  ///
  /// ``reportFailure`` receives the errors of this library too, without SQLite's messages.
  ///
  /// The function is called on any thread, from inside SQLite. It must not use a database, and
  /// should return quickly. https://www.sqlite.org/errlog.html
  public static var logError: LogErrorFunction? {
    get { ErrorLog.function }
    set {
      ErrorLog.install()
      ErrorLog.function = newValue
    }
  }
}

/// SQLite's error log, which is global to the process.
enum ErrorLog {
  // Guards the function, which is called without the lock.
  private static let state = Lock(Database.LogErrorFunction?.none)

  static var function: Database.LogErrorFunction? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  /// Openings of a file whose WAL may be missing, which is not an error then. SQLite logs it.
  static let missingLogIsExpected = ThreadScope()

  /// Receives SQLite's log from now on.
  ///
  /// SQLite accepts this only before its first use, so every opening calls it, even before a
  /// function is set.
  static func install() { _ = installation }

  private static let installation: Void = {
    _ = wellspring_config_log(
      { _, code, message in
        guard let function = ErrorLog.function else { return }
        if code & 0xff == SQLITE_CANTOPEN, ErrorLog.missingLogIsExpected.isActive { return }
        function(ResultCode(rawValue: code), message.map { String(cString: $0) } ?? "")
      },
      nil
    )
  }()
}

extension ErrorLog {
  /// Logs and reports an error that has no caller to be thrown to.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - source: The source of the failure, such as the path of a file.
  ///   - text: The text that equal failures share; `nil` for the description of the error.
  static func report(_ error: any Error, source: String, text: String? = nil) {
    let code = (error as? DatabaseError)?.extendedResultCode ?? .SQLITE_ERROR
    function?(code, (error as? DatabaseError)?.message ?? String(describing: error))
    // Work that was due when the database was closed has not failed.
    if (error as? DatabaseError)?.isDatabaseClosed == true { return }
    FailureReports.shared.report(error, source: source, text: text)
  }

  /// Logs and reports a problem of a file that has no caller to be thrown to.
  static func report(_ code: ResultCode, _ message: String, source: String) {
    report(DatabaseError(resultCode: code, message: message), source: source)
  }
}
