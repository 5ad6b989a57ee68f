internal import Foundation
internal import WellspringSystem

/// A request whose answer grows by each new entry. It has no thread: the reader drives it.
final class EtcdWatch: @unchecked Sendable {
  // Safe to share: the reader that took it from the log uses it on one thread at a time.

  private let client: EtcdClient
  private let connection: HTTPConnection
  let endpoint: Int
  /// Whether the answer still continues.
  private(set) var isUsable = true
  /// The place of the last entry that came, or that the reader got otherwise.
  private var position: LogPosition
  /// The last entry that came.
  private var delivered: LogPosition
  /// Since when the store has an entry that has not come.
  private var owingSince: UInt64?
  /// Whether the store may have further entries beside the found ones.
  private var hasMore = false
  private let start = MonotonicClock.now
  private var pending: [LogEntry] = []

  /// Watches the entries that were written after a revision.
  init(log: EtcdLog, after position: LogPosition, revision: Int64) throws(ReplicationLogError) {
    client = log.client
    self.position = position
    delivered = position
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

  /// Notes that the reader found entries in the store, which should come here too.
  ///
  /// - Parameters:
  ///   - position: The last of them.
  ///   - hasMore: Whether the store may have further entries.
  func skip(to position: LogPosition, hasMore: Bool) {
    pending.removeAll { $0.position <= position }
    self.position = max(self.position, position)
    if delivered < position, owingSince == nil { owingSince = MonotonicClock.now }
    self.hasMore = hasMore
  }

  /// Whether the next entries are in the store already, and did not come.
  var isBehind: Bool { hasMore && owingSince != nil }

  /// The moment from which on the member counts as cut off or hanging, unless the missing entries
  /// come.
  ///
  /// A member that is cut off is silent, like a member without new entries. Only the entries in the
  /// store tell the two cases apart.
  var patienceEnd: UInt64? {
    owingSince.map { max($0, connection.lastByte) + client.timeouts.silence.nanoseconds / 2 }
  }

  /// Whether a watch that ended has lasted.
  var hasLasted: Bool { MonotonicClock.now >= start + 1_000_000_000 }

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
      // The events continue at the place of the watch: a reader at another place reads the store
      // instead.
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
  /// - Returns: Whether it makes sense to wait further.
  private func advance(until deadline: UInt64, log: EtcdLog) throws(ReplicationLogError) -> Bool {
    if let line = connection.takeLine() {
      try take(line, log)
      return true
    }
    // A large entry that is on its way would be read a second time, over the same slow link.
    let quiet = connection.lastByte + client.timeouts.attempt.nanoseconds
    let end = connection.received.isEmpty ? deadline : max(deadline, quiet)
    let count = connection.received.count
    do {
      if try connection.advance(until: end, isClosed: { client.isClosed }) != nil {
        isUsable = false
      }
      return isUsable && (connection.received.count > count || MonotonicClock.now < end)
    } catch .closed {
      throw .closed
    } catch {
      isUsable = false
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
      if entry.position > delivered {
        delivered = entry.position
        // It is some way behind, and continues.
        if owingSince != nil {
          owingSince = delivered < position ? MonotonicClock.now : nil
        }
      }
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
