internal import Dispatch
internal import WellspringSystem

/// A failure that no caller receives, such as the error of a shared reader's query, or of the
/// maintenance of a file: see ``Database/reportFailure``.
///
/// ```text
/// fetchAll(SELECT * FROM itme): SQLite error 1: no such table: itme - while executing "…"
/// ```
public struct FailureReport: Sendable {
  /// The source of the failure: the key of a reader, or a file.
  public let source: String

  /// The error. The last one, if the report covers several failures.
  public let error: any Error

  /// The number of failures that this report covers.
  ///
  /// The first failure is reported at once, with the count 1. Equal failures that follow within ten
  /// seconds are counted, and reported together, at the latest when a database shuts down: see
  /// ``DatabaseReader/shutDown(within:)``. The counts of all reports add up to the number of
  /// failures.
  public let count: Int

  /// Creates a report, for example to test a function that receives reports.
  public init(source: String, error: any Error, count: Int = 1) {
    self.source = source
    self.error = error
    self.count = count
  }

  /// Writes the report to the standard error of the process, as one line that starts with
  /// `wellspring: `.
  ///
  ///     Database.reportFailure = { report in
  ///       failures.increment(by: report.count)
  ///       report.writeToStandardError()
  ///     }
  public func writeToStandardError() {
    StandardError.write("wellspring: \(description)\n")
  }
}

extension FailureReport: CustomStringConvertible {
  /// The longest line that a pipe takes without mixing it with lines of other processes is 4,096
  /// bytes.
  private static let maximumLength = 4_000

  /// One line with the source, the error and the count.
  ///
  /// The error is described as it describes itself: a `DatabaseError` omits the arguments of the
  /// SQL.
  public var description: String {
    var line = ""
    for part in [source, ": ", String(describing: error)] {
      // A tab or a line break in SQL is a space like any other.
      line += part.split(whereSeparator: \.isNewline)
        .map { $0.drop(while: \.isWhitespace) }
        .joined(separator: " ")
    }
    if line.utf8.count > Self.maximumLength {
      line = String(decoding: line.utf8.prefix(Self.maximumLength), as: UTF8.self) + "…"
    }
    return count > 1 ? line + " (\(count) times)" : line
  }
}

extension Database {
  /// The function that receives the failures that no caller receives. The default writes each
  /// report to the standard error of the process, as one line.
  ///
  ///     Database.reportFailure = { report in
  ///       logger.error("\(report)", metadata: ["count": "\(report.count)"])
  ///     }
  ///
  /// Such failures are the error of a shared reader, a WAL that keeps growing, or a file that
  /// cannot be closed. Errors that an access throws, and errors that are delivered to a closure or
  /// a loop, are not reported: their receiver decides.
  ///
  /// Of many equal failures, the first one is reported at once, and the following ones as one
  /// report with their count: see ``FailureReport/count``. Set `nil` to report nothing.
  ///
  /// The function is called on any thread, which may be inside an access. It must not use a
  /// database, and should return quickly. ``logError`` receives SQLite's own log instead.
  public static var reportFailure: (@Sendable (FailureReport) -> Void)? {
    get { FailureReports.shared.function }
    set { FailureReports.shared.function = newValue }
  }
}

/// Reports failures to the function of the process: see ``Database/reportFailure``.
package final class FailureReports: Sendable {
  package static let shared = FailureReports()

  private struct State {
    var function: (@Sendable (FailureReport) -> Void)? = { $0.writeToStandardError() }
    var machine: FailureReportsStateMachine
  }

  // Guards the function and the counts. The function is called outside it.
  private let state: Lock<State>
  private let start = ContinuousClock.now

  init(_ machine: FailureReportsStateMachine = FailureReportsStateMachine()) {
    state = Lock(State(machine: machine))
  }

  var function: (@Sendable (FailureReport) -> Void)? {
    get { state.withLock { $0.function } }
    set {
      let old = state.withLock { state in
        defer { state.function = newValue }
        return state.function
      }
      withExtendedLifetime(old) {}
    }
  }

  /// Reports a failure, or counts it.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - source: The source of the failure.
  ///   - text: The text that equal failures share; `nil` for the description of the error.
  package func report(_ error: any Error, source: String, text: String? = nil) {
    guard function != nil else { return }
    // The description of an error is foreign code.
    let failure = Machine.Failure(source: source, error: error, text: text)
    perform { $0.receive(failure, now: $1) }
  }

  /// Reports the failures that were only counted so far.
  func flush() { perform { $0.flush(now: $1) } }

  private typealias Machine = FailureReportsStateMachine

  private func perform(_ change: (inout Machine, _ now: Duration) -> Machine.Effects) {
    let now = ContinuousClock.now - start
    let (effects, function) = state.withLock { (change(&$0.machine, now), $0.function) }
    for report in effects.reports { function?(report) }
    guard let wakeTime = effects.wakeTime else { return }
    // A wake that comes too early would find no window that has ended.
    let delay = Int((wakeTime - now) / .milliseconds(1)) + 1
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(delay)) {
      self.perform { $0.wake(now: $1) }
    }
  }
}
