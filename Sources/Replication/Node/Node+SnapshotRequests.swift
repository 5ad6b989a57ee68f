internal import Foundation
internal import Storage
internal import WellspringSystem

/// Asking the primary for a snapshot, by a name in the store that all nodes reach.
///
/// A snapshot is large, so a failover alone makes none. A node that waits for one says so.
extension Node {
  /// How long a node waits before it asks again: a request is removed with the next snapshot, also
  /// when the node cannot use that.
  private static let requestInterval: UInt64 = 30_000_000_000

  /// How often the primary looks for requests.
  var lookInterval: Duration { min(options.electionTimeout * 2, .seconds(5)) }

  /// Requests a snapshot, unless one was requested a moment ago.
  ///
  /// - Throws: The error of the store.
  func requestSnapshot(atLeast position: LogPosition) throws {
    guard let store = options.snapshots else { return }
    let now = MonotonicClock.now
    let (database, isDue) = state.withLock { state in
      let isDue = now >= state.nextSnapshotRequest
      if isDue { state.nextSnapshotRequest = now + Self.requestInterval }
      return (state.place.database, isDue)
    }
    guard isDue else { return }
    try Node.withTemporaryPath(beside: pool.path) { path in
      try Data("\(options.address)\n".utf8).write(to: URL(fileURLWithPath: path))
      let name = SnapshotName.request(of: database, position)
      try snapshotCalls.wait { try await store.put(path, name) }
    }
  }

  /// Whether it is time to look for requests. A new primary looks at once.
  func mustLookForRequests(_ state: inout NodeState) -> Bool {
    let now = MonotonicClock.now
    guard now >= state.nextLookForRequests else { return false }
    state.nextLookForRequests = now + lookInterval.nanoseconds
    return true
  }

  /// Returns the requests that the store has.
  ///
  /// - Throws: The error of the store.
  func snapshotRequests() throws -> [String] {
    guard let store = options.snapshots else { return [] }
    let database = state.withLock { $0.place.database }
    return try snapshotCalls.wait { try await store.names() }
      .filter { SnapshotName.isRequest($0, of: database) }
  }

  /// Removes requests after a snapshot was made.
  ///
  /// - Throws: The error of the store.
  func removeRequests(_ names: [String]) throws {
    guard let store = options.snapshots else { return }
    for name in names { try snapshotCalls.wait { try await store.remove(name) } }
  }
}
