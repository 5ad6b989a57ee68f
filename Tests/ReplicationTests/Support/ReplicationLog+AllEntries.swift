import Replication

extension ReplicationLog {
  /// Reads all entries that are there, in several calls.
  func allEntries(after start: LogPosition = .start) throws -> [LogEntry] {
    var all: [LogEntry] = []
    while true {
      let after = all.last?.position ?? start
      let part = try entries(after: after, limit: 40, waitingUpTo: .zero)
      if part.isEmpty { return all }
      all += part
    }
  }
}
