internal import Foundation
internal import WellspringPlatform

/// Entries that the store has, at one revision.
struct StoredEntries: Sendable {
  var entries: [LogEntry]
  var revision: Int64
  /// Whether the store had further entries.
  var hasMore: Bool
}

/// A read of the next entries that runs while the reader repeats those before them, so that neither
/// the link nor the file waits for the other.
final class EtcdReadAhead: Sendable {
  /// The last entry that the reader has before.
  let position: LogPosition
  private let didEnd = MonotonicSemaphore()
  // Guards what was read. It is set before `didEnd` is signalled.
  private let result = Lock(StoredEntries?.none)

  /// Begins to read on a thread of its own.
  init(after position: LogPosition, limit: Int, of log: EtcdLog) {
    self.position = position
    Thread.detachNewThread { [self] in
      // The reader itself asks again, and gets the error.
      let found = try? log.stored(after: position, limit: limit)
      result.withLock { $0 = found }
      didEnd.signal()
    }
  }

  /// Waits for the entries.
  ///
  /// - Returns: `nil` if they could not be read, or if there are none.
  func entries() -> StoredEntries? {
    didEnd.wait()
    // For the next one who waits.
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
    var found: StoredEntries
    if let ahead = takeReadAhead(), ahead.position == position, let entries = ahead.entries() {
      found = entries
    } else {
      found = try stored(after: position, limit: limit)
    }
    if found.entries.count > max(1, limit) {
      found.entries.removeLast(found.entries.count - max(1, limit))
      found.hasMore = true
    }
    if found.hasMore, let last = found.entries.last {
      keep(EtcdReadAhead(after: last.position, limit: limit, of: self))
    }
    return found
  }
}
