import Foundation
import Replication

/// A log that is cut off in silence while a test wants it: its calls neither return nor throw.
final class HangingLog: ReplicationLog {
  private let base: any ReplicationLog
  private let condition = NSCondition()
  // The condition guards it.
  private nonisolated(unsafe) var hangs = false

  init(_ base: any ReplicationLog) { self.base = base }

  /// Lets all calls hang, also calls that have begun.
  func hang() { condition.withLock { hangs = true } }

  /// Lets the calls continue.
  func goOn() {
    condition.withLock {
      hangs = false
      condition.broadcast()
    }
  }

  private func pass() {
    condition.withLock { while hangs { condition.wait() } }
  }

  private func call<Answer>(
    _ ask: () throws(ReplicationLogError) -> Answer
  ) throws(ReplicationLogError) -> Answer {
    pass()
    let answer = try ask()
    pass()
    return answer
  }

  var entryLimit: Int { base.entryLimit }

  func append(
    _ bytes: [UInt8],
    expecting position: LogPosition
  ) throws(ReplicationLogError) -> AppendOutcome {
    try call { () throws(ReplicationLogError) in try base.append(bytes, expecting: position) }
  }

  func entries(
    after position: LogPosition,
    limit: Int,
    waitingUpTo timeout: Duration
  ) throws(ReplicationLogError) -> [LogEntry] {
    try call { () throws(ReplicationLogError) in
      try base.entries(after: position, limit: limit, waitingUpTo: timeout)
    }
  }

  func tail() throws(ReplicationLogError) -> LogPosition {
    try call { () throws(ReplicationLogError) in try base.tail() }
  }

  func first() throws(ReplicationLogError) -> LogPosition? {
    try call { () throws(ReplicationLogError) in try base.first() }
  }

  func trim(below position: LogPosition) throws(ReplicationLogError) {
    try call { () throws(ReplicationLogError) in try base.trim(below: position) }
  }

  func usage() throws(ReplicationLogError) -> LogUsage {
    try call { () throws(ReplicationLogError) in try base.usage() }
  }

  func close() {
    goOn()
    base.close()
  }
}
