internal import CWellspringSQLite
internal import WellspringPlatform

extension Database {
  /// What ``logError`` calls.
  public typealias LogErrorFunction =
    @Sendable (_ resultCode: ResultCode, _ message: String) -> Void

  /// Called with the errors and warnings that SQLite logs, on any connection of the process, and with
  /// those of this library that no access can throw. `nil` unless set.
  ///
  ///     Database.logError = { code, message in
  ///       print("SQLite \(code.rawValue): \(message)")
  ///     }
  ///
  /// It can be set at any time, unless other code of the process has used SQLite before this library
  /// opened its first database: then SQLite's own messages are lost.
  ///
  /// The function is called on any thread, in the middle of SQLite's work: it must not use a
  /// database, and should return soon. https://www.sqlite.org/errlog.html
  public static var logError: LogErrorFunction? {
    get { ErrorLog.function }
    set {
      ErrorLog.install()
      ErrorLog.function = newValue
    }
  }
}

/// SQLite's error log, of which a process has one.
enum ErrorLog {
  // Guards the function, which is called outside of it.
  private static let state = Lock(Database.LogErrorFunction?.none)

  static var function: Database.LogErrorFunction? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  /// Tells the log.
  static func report(_ code: ResultCode, _ message: String) { function?(code, message) }

  /// Listens to SQLite's log. It can be set before SQLite is used first only, and is set always, so
  /// that the function can come later.
  static func install() { _ = installation }

  private static let installation: Void = {
    _ = wellspring_config_log(
      { _, code, message in
        guard let function = ErrorLog.function else { return }
        function(ResultCode(rawValue: code), message.map { String(cString: $0) } ?? "")
      },
      nil
    )
  }()
}
