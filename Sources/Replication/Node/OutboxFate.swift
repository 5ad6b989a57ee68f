/// The fate of the commits of the outbox, by their numbers, and the callers that wait for it.
///
/// Numbers ascend while the node is open, also after the outbox was empty, or was replaced by the
/// outbox of a snapshot. So an answer is about the commit of its caller, whatever other callers
/// write.
struct OutboxFate {
  /// A caller that waits until the log has a commit.
  struct Waiter {
    let number: Int64
    /// It gets a token that contains the commit.
    let finish: @Sendable (Result<WriteToken, ReplicationError>) -> Void
  }

  /// The number of the last commit.
  private(set) var last: Int64
  /// Up to which number the log has the commits, or will never have them.
  private var settled: Int64
  /// How many settlements are remembered.
  private static let rememberedSettlements = 256
  /// The last places at which the log had more commits, ascending: each contains the commits up to
  /// a number.
  private var settlements: [(number: Int64, token: WriteToken)]
  /// The commits that the log will never have.
  private var discarded: [ClosedRange<Int64>] = []
  /// The waiters, by number.
  private var waiters: [UInt64: Waiter] = [:]
  private var lastWaiter: UInt64 = 0

  /// Begins with the commits that a file has.
  ///
  /// - Parameters:
  ///   - numbers: The numbers of the first one and the last one.
  ///   - token: The place of the file.
  init(_ numbers: ClosedRange<Int64>?, at token: WriteToken) {
    last = numbers?.upperBound ?? 0
    settled = numbers.map { $0.lowerBound - 1 } ?? 0
    settlements = [(settled, token)]
  }

  /// Notes that a commit is in the file.
  mutating func add(_ number: Int64) { last = max(last, number) }

  /// Notes that the log has the commits up to a number.
  ///
  /// - Parameters:
  ///   - number: The number of the last one.
  ///   - token: The place after the entry that has it.
  mutating func remove(through number: Int64, at token: WriteToken) {
    settle(min(number, last), at: token)
  }

  /// Notes that the log has the commits before the remaining ones.
  ///
  /// - Parameters:
  ///   - numbers: The numbers that the outbox still has.
  ///   - token: The place of the file, which contains the commits that the outbox no longer has.
  mutating func remove(allBut numbers: ClosedRange<Int64>?, at token: WriteToken) {
    settle(numbers.map { min($0.lowerBound - 1, last) } ?? last, at: token)
  }

  /// Notes that a snapshot has replaced the outbox by another one.
  ///
  /// - Parameters:
  ///   - numbers: The numbers that the new one has.
  ///   - token: The place of the snapshot.
  mutating func replace(by numbers: ClosedRange<Int64>?, at token: WriteToken) {
    if last > settled { discarded.append((settled + 1)...last) }
    settle(last, at: token)
    if let numbers { last = max(last, numbers.upperBound) }
  }

  private mutating func settle(_ number: Int64, at token: WriteToken) {
    guard number > settled else { return }
    settled = number
    settlements.append((number, token))
    if settlements.count > Self.rememberedSettlements { settlements.removeFirst() }
  }

  /// Returns the fate of a commit: a token that contains it, or an error; `nil` if it is open.
  ///
  /// The token belongs to the entry with the commit, unless many entries have followed it.
  func result(of number: Int64) -> Result<WriteToken, ReplicationError>? {
    guard number <= settled else { return nil }
    if discarded.contains(where: { $0.contains(number) }) { return .failure(.discardedCommits) }
    return settlements.first { $0.number >= number }.map { .success($0.token) }
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
  /// - Parameters:
  ///   - error: The answer for commits whose fate is open; `nil` if these waiters stay.
  ///   - number: The last commit that the error is for. The waiters of later ones stay.
  /// - Returns: The waiters with their answers.
  mutating func takeFinished(
    _ error: ReplicationError?,
    through number: Int64 = .max
  ) -> [(Waiter, Result<WriteToken, ReplicationError>)] {
    guard !waiters.isEmpty else { return [] }
    var finished: [(Waiter, Result<WriteToken, ReplicationError>)] = []
    for (key, waiter) in waiters {
      let error = waiter.number <= number ? error : nil
      guard let result = result(of: waiter.number) ?? error.map({ .failure($0) }) else { continue }
      waiters[key] = nil
      finished.append((waiter, result))
    }
    return finished
  }
}
