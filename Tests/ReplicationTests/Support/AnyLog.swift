import Replication

/// A log of any type.
struct AnyLog: ReplicationLog {
  private let base: any ReplicationLog

  init(_ base: any ReplicationLog) { self.base = base }

  var entryLimit: Int { base.entryLimit }

  func append(
    _ bytes: [UInt8],
    expecting position: LogPosition
  ) throws(ReplicationLogError) -> AppendOutcome { try base.append(bytes, expecting: position) }

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
  func announce(
    _ announcement: [UInt8],
    of node: String,
    for time: Duration
  ) throws(ReplicationLogError) { try base.announce(announcement, of: node, for: time) }
  func withdraw(_ node: String) throws(ReplicationLogError) { try base.withdraw(node) }
  func announcements() throws(ReplicationLogError) -> [[UInt8]] { try base.announcements() }
  func close() { base.close() }
}
