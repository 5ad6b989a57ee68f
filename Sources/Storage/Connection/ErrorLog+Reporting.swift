extension ErrorLog {
  /// Logs an error that has no caller to be thrown to.
  static func report(_ error: any Error) {
    let code = (error as? DatabaseError)?.extendedResultCode ?? .SQLITE_ERROR
    report(code, (error as? DatabaseError)?.message ?? String(describing: error))
  }
}
