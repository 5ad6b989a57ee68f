internal import WellspringSystem

// The faults are for the entries.
extension MemoryLog {
  /// Keeps an announcement of a node for other nodes.
  ///
  /// - Parameters:
  ///   - announcement: The bytes of the announcement.
  ///   - node: The node.
  ///   - time: How long it is kept.
  /// - Throws: ``ReplicationLogError/closed``.
  public func announce(
    _ announcement: [UInt8],
    of node: String,
    for time: Duration
  ) throws(ReplicationLogError) {
    try checkIsOpen()
    let now = MonotonicClock.now
    let end = now + min(time, .seconds(1_000_000_000)).nanoseconds
    store.withState { state in
      state.announcements = state.announcements.filter { $1.end > now }
      state.announcements[node] = (announcement, end)
    }
  }

  /// Removes the announcement of a node.
  ///
  /// - Throws: ``ReplicationLogError/closed``.
  public func withdraw(_ node: String) throws(ReplicationLogError) {
    try checkIsOpen()
    store.withState { _ = $0.announcements.removeValue(forKey: node) }
  }

  /// Returns the announcements that are kept.
  ///
  /// - Throws: ``ReplicationLogError/closed``.
  public func announcements() throws(ReplicationLogError) -> [[UInt8]] {
    try checkIsOpen()
    let now = MonotonicClock.now
    return store.withState { state in
      state.announcements.values.filter { $0.end > now }.map(\.bytes)
    }
  }
}
