internal import Foundation
internal import WellspringSystem

/// Entries that the store has, at one revision.
struct StoredEntries: Sendable {
  var entries: [LogEntry]
  var revision: Int64
  /// The last entry of the store.
  var tail: LogPosition

  /// Whether the store had further entries.
  var hasMore: Bool { entries.last.map { $0.position < tail } ?? false }
}

/// A read of further entries that runs while the reader repeats the entries before them. So the
/// link, the server and the file work at the same time.
final class EtcdReadAhead: Sendable {
  /// The last entry that the reader has before.
  let position: LogPosition
  /// How many entries are read.
  let count: Int
  private let didEnd = MonotonicSemaphore()
  // Guards the entries that were read. They are set before `didEnd` is signalled.
  private let result = Lock(StoredEntries?.none)

  /// Begins to read on a thread of its own.
  init(after position: LogPosition, count: Int, of log: EtcdLog) {
    self.position = position
    self.count = count
    Thread.detachNewThread { [self] in
      // The reader itself asks again, and gets the error.
      let found = try? log.stored(after: position, limit: count)
      result.withLock { $0 = found }
      didEnd.signal()
    }
  }

  /// The last entry, if there are as many as are read.
  var end: LogPosition { LogPosition(position.sequence + Int64(count)) }

  /// Waits for the entries.
  ///
  /// - Returns: `nil` if they could not be read, or if the log has none yet.
  func entries() -> StoredEntries? {
    didEnd.wait()
    // For the next waiter.
    didEnd.signal()
    let found = result.withLock { $0 }
    return found?.entries.isEmpty == false ? found : nil
  }
}

extension EtcdLog {
  /// Returns the next entries of the store, and begins to read those after them.
  func storedReadingAhead(
    after position: LogPosition,
    limit: Int
  ) throws(ReplicationLogError) -> StoredEntries {
    var ahead = takeReadAhead()
    // A reader at another place cannot use the entries that were read ahead.
    if ahead.first?.position != position { ahead = [] }
    var found: StoredEntries
    if !ahead.isEmpty, let entries = ahead.removeFirst().entries() {
      found = entries
    } else {
      ahead = []
      found = try stored(after: position, limit: limit)
    }
    if found.entries.count > max(1, limit) {
      found.entries.removeLast(found.entries.count - max(1, limit))
    }
    guard let last = found.entries.last else { return found }
    // There were fewer entries than expected.
    if ahead.first.map({ $0.position != last.position }) ?? false { ahead = [] }
    let (depth, batch) = pace { ($0.readsAhead, $0.batch) }
    while ahead.count < depth, (ahead.last?.end ?? last.position) < found.tail {
      let next = ahead.last?.end ?? last.position
      ahead.append(EtcdReadAhead(after: next, count: max(1, min(limit, batch)), of: self))
    }
    keep(ahead)
    return found
  }
}
