import Replication
import WellspringSystem

/// A log that refuses each call until a test lets it accept them.
final class RefusingLog: ReplicationLog {
  private let base: any ReplicationLog
  // Guards the error of each call.
  private let error: Lock<ReplicationLogError?>

  init(_ base: any ReplicationLog, _ error: ReplicationLogError) {
    self.base = base
    self.error = Lock(error)
  }

  func accept() { error.withLock { $0 = nil } }

  private func check() throws(ReplicationLogError) {
    if let error = error.withLock({ $0 }) { throw error }
  }

  var entryLimit: Int { base.entryLimit }

  func append(
    _ bytes: [UInt8],
    expecting position: LogPosition
  ) throws(ReplicationLogError) -> AppendOutcome {
    try check()
    return try base.append(bytes, expecting: position)
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
