import Replication
import WellspringSystem

/// A log that refuses each call, from the beginning or after some appends, until a test lets it
/// accept them.
final class RefusingLog: ReplicationLog {
  private struct State {
    var error: ReplicationLogError?
    /// How many appends come before the first refused call.
    var appends: Int
  }

  private let base: any ReplicationLog
  private let losesAnswer: Bool
  // Guards the error of refused calls, and the number of appends before them.
  private let state: Lock<State>

  /// - Parameters:
  ///   - base: The log that takes the accepted calls.
  ///   - error: The error of the refused calls.
  ///   - appends: After how many appends calls are refused.
  ///   - losesAnswer: Whether the answer of the last of these appends is lost.
  init(
    _ base: any ReplicationLog,
    _ error: ReplicationLogError,
    after appends: Int = 0,
    losesAnswer: Bool = false
  ) {
    self.base = base
    self.losesAnswer = losesAnswer
    state = Lock(State(error: error, appends: appends))
  }

  func accept() { state.withLock { $0.error = nil } }

  private func check() throws(ReplicationLogError) {
    if let error = state.withLock({ $0.appends > 0 ? nil : $0.error }) { throw error }
  }

  var entryLimit: Int { base.entryLimit }

  func append(
    _ bytes: [UInt8],
    expecting position: LogPosition
  ) throws(ReplicationLogError) -> AppendOutcome {
    try check()
    let isLast = state.withLock { state in
      state.appends -= 1
      return state.appends == 0
    }
    let outcome = try base.append(bytes, expecting: position)
    return isLast && losesAnswer ? .unknown("no answer") : outcome
  }

  func entries(
    after position: LogPosition,
    limit: Int,
    waitingUpTo timeout: Duration
  ) throws(ReplicationLogError) -> [LogEntry] {
    try check()
    return try base.entries(after: position, limit: limit, waitingUpTo: timeout)
  }

  func tail() throws(ReplicationLogError) -> LogPosition {
    try check()
    return try base.tail()
  }

  func first() throws(ReplicationLogError) -> LogPosition? {
    try check()
    return try base.first()
  }

  func trim(below position: LogPosition) throws(ReplicationLogError) {
    try check()
    try base.trim(below: position)
  }

  func usage() throws(ReplicationLogError) -> LogUsage {
    try check()
    return try base.usage()
  }

  func close() { base.close() }
}
