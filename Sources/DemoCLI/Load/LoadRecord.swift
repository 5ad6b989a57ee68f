internal import Dispatch
internal import WellspringSystem

/// The times that the writers and the watchers of a load note.
final class LoadRecord: @unchecked Sendable {
  // Safe to share: all mutable properties are only accessed while `lock` is held.

  // Guards all that the writers and the watchers note.
  private let lock = Lock(())
  private var commits: [Int64] = []
  private var deliveries: [Int64] = []
  /// The begins of the writes that no watcher has shown yet, by row id.
  private var undelivered: [Int64: UInt64] = [:]
  private var lastDelivered: Int64 = 0
  private var failure: String?

  /// The number of commits so far.
  var count: Int { lock.withLock { _ in commits.count } }

  var message: String? { lock.withLock { _ in failure } }

  /// Notes a commit that inserted a row.
  func note(commitOf id: Int64, begin: UInt64, isWatched: Bool) {
    let now = DispatchTime.now().uptimeNanoseconds
    lock.withLock { _ in
      commits.append(Int64(now - begin))
      guard isWatched else { return }
      // A value can come before the writer notes its commit.
      if id <= lastDelivered {
        deliveries.append(Int64(now - begin))
      } else {
        undelivered[id] = begin
      }
    }
  }

  /// Notes a value, which contains the rows up to `id`.
  func note(deliveryOf id: Int64) {
    let now = DispatchTime.now().uptimeNanoseconds
    lock.withLock { _ in
      guard id > lastDelivered else { return }
      for row in (lastDelivered + 1)...id {
        if let begin = undelivered.removeValue(forKey: row) {
          deliveries.append(Int64(now - begin))
        }
      }
      lastDelivered = id
    }
  }

  /// Notes the first failure.
  func note(failure message: String) {
    lock.withLock { _ in failure = failure ?? message }
  }

  /// Returns the times of the commits, and of the values that contained them.
  func latencies() -> (commits: Latencies, deliveries: Latencies) {
    lock.withLock { _ in (Latencies(commits), Latencies(deliveries)) }
  }
}
