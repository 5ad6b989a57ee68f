/// What has become of the commits of the outbox, by their numbers, and who waits for that.
///
/// Numbers ascend while the node is open, also after the outbox was empty, or was replaced by that
/// of a snapshot. So an answer is about the commit of its caller, whatever others write.
struct OutboxFate {
  /// A caller that waits until the log has a commit.
  struct Waiter {
    let number: Int64
    let finish: @Sendable (Result<Void, ReplicationError>) -> Void
  }

  /// The number of the last commit.
  private(set) var last: Int64
  /// Up to which number the log has the commits, or will never have them.
  private var settled: Int64
  /// The commits that the log will never have.
  private var discarded: [ClosedRange<Int64>] = []
  /// The waiters, by number.
  private var waiters: [UInt64: Waiter] = [:]
  private var lastWaiter: UInt64 = 0

  /// Begins with the commits that a file has.
  ///
  /// - Parameter numbers: The numbers of the first one and the last one.
  init(_ numbers: ClosedRange<Int64>?) {
    last = numbers?.upperBound ?? 0
    settled = numbers.map { $0.lowerBound - 1 } ?? 0
  }

  /// Notes that a commit is in the file.
  mutating func add(_ number: Int64) { last = max(last, number) }

  /// Notes that the log has the commits before those that are left.
  ///
  /// - Parameter numbers: The numbers that the outbox still has.
  mutating func remove(allBut numbers: ClosedRange<Int64>?) {
    settled = max(settled, numbers.map { min($0.lowerBound - 1, last) } ?? last)
  }

  /// Notes that a snapshot has replaced the outbox by another one.
  mutating func replace(by numbers: ClosedRange<Int64>?) {
    if last > settled { discarded.append((settled + 1)...last) }
    settled = last
    if let numbers { last = max(last, numbers.upperBound) }
  }

  /// Returns what became of a commit; `nil` if that is open.
  func result(of number: Int64) -> Result<Void, ReplicationError>? {
    guard number <= settled else { return nil }
    let isDiscarded = discarded.contains { $0.contains(number) }
    return isDiscarded ? .failure(.discardedCommits) : .success(())
  }

  /// Adds a waiter.
  ///
  /// - Returns: Its number, for ``take(_:)``.
  mutating func wait(_ waiter: Waiter) -> UInt64 {
    lastWaiter += 1
    waiters[lastWaiter] = waiter
    return lastWaiter
  }

  /// Removes a waiter whose time is over; `nil` if it has its answer.
  mutating func take(_ waiter: UInt64) -> Waiter? { waiters.removeValue(forKey: waiter) }

  /// Removes the waiters that get an answer.
  ///
  /// - Parameter error: The answer for commits whose fate is open; `nil` if these waiters stay.
  /// - Returns: The waiters with their answers.
  mutating func takeFinished(
    _ error: ReplicationError?
  ) -> [(Waiter, Result<Void, ReplicationError>)] {
    guard !waiters.isEmpty else { return [] }
    var finished: [(Waiter, Result<Void, ReplicationError>)] = []
    for (key, waiter) in waiters {
      guard let result = result(of: waiter.number) ?? error.map({ .failure($0) }) else { continue }
      waiters[key] = nil
      finished.append((waiter, result))
    }
    return finished
  }
}
