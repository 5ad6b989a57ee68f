/// Merges a burst of file events into one event, and finds the events that commits of this process
/// explain.
///
/// It is pure. The ``ForeignCommitMonitor`` holds it in a lock, because events do not arrive on the
/// monitor's queue.
struct EventBurst: Sendable {
  /// Whether an event waits for the monitor's queue.
  private var isPending = false
  /// The number of commits of this process at the last event.
  private var ownCommits: UInt64 = 0

  /// Notes an event.
  ///
  /// - Parameter ownCommits: The number of commits of this process until now.
  /// - Returns: Whether the event begins a burst, and must be handled; and whether this process has
  ///   committed since the last event, which explains this one.
  mutating func note(ownCommits: UInt64) -> (isFirst: Bool, isExplained: Bool) {
    defer {
      isPending = true
      self.ownCommits = ownCommits
    }
    return (!isPending, self.ownCommits != ownCommits)
  }

  /// Ends the burst: the monitor handles it now. A later event begins another one.
  mutating func end() { isPending = false }
}
