/// Reports the failures of a reference to the scope in which its first reader was created,
/// otherwise to the function of the process.
struct FailureReporter: Sendable {
  // Captured when the reference is created: errors come on threads that are in no scope.
  private let scope = FailureScope.current

  func report(_ error: any Error, of key: some SharedReaderKey) {
    if let scope {
      scope.report(error, source: key.reportedName)
    } else {
      FailureReports.shared.report(error, source: key.reportedName)
    }
  }
}
