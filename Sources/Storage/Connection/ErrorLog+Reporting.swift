extension ErrorLog {
  /// Logs and reports an error that has no caller to be thrown to.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - source: What has failed, such as the path of a file.
  ///   - text: What equal failures share; `nil` for the description of the error.
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
