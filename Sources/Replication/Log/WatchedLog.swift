/// A log that notes when it is asked and when it answers.
final class WatchedLog: ReplicationLog {
  let base: any ReplicationLog
  let contact = LogContact()

  init(_ base: any ReplicationLog) { self.base = base }

  var entryLimit: Int { base.entryLimit }

  func append(
    _ bytes: [UInt8],
    expecting position: LogPosition
  ) throws(ReplicationLogError) -> AppendOutcome {
    let call = contact.begin()
    do throws(ReplicationLogError) {
      let outcome = try base.append(bytes, expecting: position)
      if case .unknown = outcome {
        contact.end(call, isAnswered: false)
      } else {
        contact.end(call, isAnswered: true)
      }
      return outcome
    } catch {
      contact.end(call, isAnswered: error.isAnswer)
      throw error
    }
  }

  func entries(
    after position: LogPosition,
    limit: Int,
    waitingUpTo timeout: Duration
  ) throws(ReplicationLogError) -> [LogEntry] {
    try watching(timeout) { () throws(ReplicationLogError) in
      try base.entries(after: position, limit: limit, waitingUpTo: timeout)
    }
  }

  func tail() throws(ReplicationLogError) -> LogPosition {
    try watching { () throws(ReplicationLogError) in try base.tail() }
  }

  func first() throws(ReplicationLogError) -> LogPosition? {
    try watching { () throws(ReplicationLogError) in try base.first() }
  }

  func trim(below position: LogPosition) throws(ReplicationLogError) {
    try watching { () throws(ReplicationLogError) in try base.trim(below: position) }
  }

  func usage() throws(ReplicationLogError) -> LogUsage {
    try watching { () throws(ReplicationLogError) in try base.usage() }
  }

  func announce(
    _ announcement: [UInt8],
    of node: String,
    for time: Duration
  ) throws(ReplicationLogError) {
    try base.announce(announcement, of: node, for: time)
  }

  func withdraw(_ node: String) throws(ReplicationLogError) { try base.withdraw(node) }

  func announcements() throws(ReplicationLogError) -> [[UInt8]] { try base.announcements() }

  func close() { base.close() }

  private func watching<Answer>(
    _ time: Duration = .zero,
    _ ask: () throws(ReplicationLogError) -> Answer
  ) throws(ReplicationLogError) -> Answer {
    let call = contact.begin(waiting: time)
    do throws(ReplicationLogError) {
      let answer = try ask()
      contact.end(call, isAnswered: true)
      return answer
    } catch {
      contact.end(call, isAnswered: error.isAnswer)
      throw error
    }
  }
}

extension ReplicationLogError {
  /// Whether the engine has said so, and knows the log.
  fileprivate var isAnswer: Bool {
    switch self {
    case .trimmed, .lost, .full, .tooLarge: true
    case .unavailable, .closed, .unexpected, .authentication, .anotherLog: false
    }
  }
}
