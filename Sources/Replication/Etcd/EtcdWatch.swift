internal import Foundation
internal import WellspringPlatform

/// A request whose answer grows by each new entry. It has no thread: the reader drives it.
final class EtcdWatch: @unchecked Sendable {
  // Safe to share: the reader that took it from the log uses it on one thread at a time.

  private let client: EtcdClient
  private let connection: HTTPConnection
  let endpoint: Int
  /// Whether the answer still goes on.
  private(set) var isUsable = true
  /// Whether the last wait brought nothing, however long it was.
  var isSilent = false
  /// The place of the last entry that came, or that the reader got otherwise.
  private var position: LogPosition
  private var pending: [LogEntry] = []

  /// Watches the entries that were written after a revision.
  init(log: EtcdLog, after position: LogPosition, revision: Int64) throws(ReplicationLogError) {
    client = log.client
    self.position = position
    endpoint = client.preferred
    connection = try client.lend()
    let key = EtcdKeys.base64(log.keys.entry(LogPosition(1)))
    let body =
      #"{"create_request":{"key":"\#(key)","range_end":"\#(EtcdKeys.base64(log.keys.end))","#
      + #""start_revision":"\#(revision + 1)","filters":["NODELETE"]}}"#
    let token: String?
    do {
      let end = MonotonicClock.now + client.timeouts.attempt.nanoseconds
      token = try client.token(connection, endpoint: endpoint, until: end)
    } catch {
      // The next read reports it.
      isUsable = false
      return
    }
    connection.begin(client.request("/v3/watch", body, endpoint: endpoint, token: token))
  }

  deinit {
    connection.end()
    client.takeBack(connection)
  }

  /// Notes that the reader got entries otherwise.
  func skip(to position: LogPosition) {
    pending.removeAll { $0.position <= position }
    self.position = max(self.position, position)
  }

  /// Returns the entries that have come, and waits for the first one.
  ///
  /// - Returns: No entries if the time is over, or the watch is of no more use.
  func entries(
    after reader: LogPosition,
    limit: Int,
    until deadline: UInt64,
    log: EtcdLog
  ) throws(ReplicationLogError) -> [LogEntry] {
    while isUsable {
      // The events go on where the watch is: a reader at another place reads the store instead.
      let start = pending.first?.position ?? position.next
      guard start == reader.next else { break }
      if !pending.isEmpty {
        let found = Array(pending.prefix(max(1, limit)))
        pending.removeFirst(found.count)
        return found
      }
      if try !advance(until: deadline, log: log) { break }
    }
    return []
  }

  /// Waits for the next line of the answer.
  ///
  /// - Returns: Whether it makes sense to go on waiting.
  private func advance(until deadline: UInt64, log: EtcdLog) throws(ReplicationLogError) -> Bool {
    if let line = connection.takeLine() {
      try take(line, log)
      return true
    }
    do {
      if try connection.advance(until: deadline, isClosed: { client.isClosed }) != nil {
        isUsable = false
      }
      return isUsable
    } catch .closed {
      throw .closed
    } catch {
      if MonotonicClock.now < deadline { isUsable = false }
      return false
    }
  }

  private func take(_ line: [UInt8], _ log: EtcdLog) throws(ReplicationLogError) {
    guard
      let result = try? JSONDecoder().decode(EtcdWatchLine.self, from: Data(line)).result,
      result.canceled != true
    else {
      isUsable = false
      return
    }
    for event in result.events ?? [] where event.type == nil || event.type == "PUT" {
      let entry = try log.entry(event.kv)
      guard entry.position > position else { continue }
      guard entry.position == position.next else {
        isUsable = false
        return
      }
      position = entry.position
      pending.append(entry)
    }
  }
}
