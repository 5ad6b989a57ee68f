import Replication
import WellspringSystem

/// A log whose appends take a while, like the appends of a real engine.
final class SlowLog: ReplicationLog {
  private let base: MemoryLog
  private let latency: UInt32
  // Guards the count of appends.
  private let count = Lock(0)

  init(_ base: MemoryLog, microseconds: UInt32) {
    self.base = base
    latency = microseconds
  }

  /// How many entries were appended.
  var appends: Int { count.withLock { $0 } }

  var entryLimit: Int { base.entryLimit }

  func append(
    _ bytes: [UInt8],
    expecting position: LogPosition
  ) throws(ReplicationLogError) -> AppendOutcome {
    CurrentThread.pause(microseconds: latency)
    count.withLock { $0 += 1 }
    return try base.append(bytes, expecting: position)
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
  }
  func usage() throws(ReplicationLogError) -> LogUsage { try base.usage() }
  func close() { base.close() }
}
