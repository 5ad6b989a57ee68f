import Dispatch
import Replication
import WellspringSystem

/// A log that calls a test around each append: to stop the node there, or to copy its files.
final class GateLog: ReplicationLog {
  private let base: any ReplicationLog
  private let afterTrims: Action
  // Guards the actions before and after the next append.
  private let actions = Lock<(before: Action?, after: Action?)>((nil, nil))
  // Guards the action after the next trim.
  private let trimming = Lock<Action?>(nil)

  typealias Action = @Sendable () -> Void

  /// Makes the log, which runs a closure after each trim.
  init(_ base: any ReplicationLog, afterTrims: @escaping Action = {}) {
    self.base = base
    self.afterTrims = afterTrims
  }

  /// Runs a closure before the next append that is not a heartbeat of an idle primary.
  func beforeNextAppend(_ action: @escaping Action) { actions.withLock { $0.before = action } }

  /// Runs a closure after the next append, before the node gets the answer.
  func afterNextAppend(_ action: @escaping Action) { actions.withLock { $0.after = action } }

  /// Runs a closure after the next trim.
  func afterNextTrim(_ action: @escaping Action) { trimming.withLock { $0 = action } }

  var entryLimit: Int { base.entryLimit }

  func append(
    _ bytes: [UInt8],
    expecting position: LogPosition
  ) throws(ReplicationLogError) -> AppendOutcome {
    let (before, after) = actions.withLock { actions in
      defer { actions = (nil, nil) }
      return actions
    }
    before?()
    let outcome = try base.append(bytes, expecting: position)
    after?()
    return outcome
  }

  func entries(
    after position: LogPosition,
    limit: Int,
    waitingUpTo timeout: Duration
  ) throws(ReplicationLogError) -> [LogEntry] {
    try base.entries(after: position, limit: limit, waitingUpTo: timeout)
  }

  func tail() throws(ReplicationLogError) -> LogPosition { try base.tail() }
  func first() throws(ReplicationLogError) -> LogPosition? { try base.first() }
  func trim(below position: LogPosition) throws(ReplicationLogError) {
    try base.trim(below: position)
    afterTrims()
    let action = trimming.withLock { action in
      defer { action = nil }
      return action
    }
    action?()
  }
  func usage() throws(ReplicationLogError) -> LogUsage { try base.usage() }
  func close() { base.close() }
}
