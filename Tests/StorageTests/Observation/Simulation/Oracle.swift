@testable import Storage

/// Knows which values observers may receive, and checks their deliveries.
///
/// As a rule, one thread makes all changes, so the probes can run on the reference connection after
/// each commit. The results are the history of each probe, and the values of its observer are
/// checked against that history.
final class Oracle {
  let reference: ReferenceConnection
  /// The number of commits so far.
  private(set) var commits = 0
  /// The library's numbering of the commits.
  private let libraryCommits: FileCommits
  private var numbers: CommitNumbers
  private var version: [String]
  private var observers: [Int: SimulatedObserver] = [:]
  private var histories: [Int: History] = [:]
  /// The histories of the requests that are observed, or were observed since the last call of
  /// `forgetPast()`.
  private var sharedHistories: [SharedKey: History] = [:]

  init(reference: ReferenceConnection, of pool: DatabasePool) throws {
    self.reference = reference
    libraryCommits = pool.core.broker.commits
    numbers = CommitNumbers(number: libraryCommits.withLedger { $0.position }.number.rawValue)
    version = try Self.version(reference)
  }

  private static func version(_ reference: ReferenceConnection) throws -> [String] {
    try reference.schemas.flatMap { try reference.rows("PRAGMA \($0).data_version") }
  }

  /// Registers an observer that is about to start.
  func add(_ observer: SimulatedObserver) {
    observers[observer.id] = observer
    let history = History(commit: commits, outcome: reference.outcome(of: observer.probe))
    guard observer.isShared else {
      histories[observer.id] = history
      return
    }
    // A late subscriber gets the latest value of the shared observation, which may be older than
    // the file: foreign commits are noticed with a delay.
    let key = SharedKey(observer)
    histories[observer.id] = sharedHistories[key, default: history]
    sharedHistories[key] = histories[observer.id]
  }

  func remove(_ observer: SimulatedObserver) {
    observers[observer.id] = nil
    histories[observer.id] = nil
  }

  /// Records the state if there was a commit since the last call.
  ///
  /// - Parameter isAnnounced: Whether the library has already given the commit its number.
  /// - Returns: Whether there was a commit.
  /// - Throws: An error of the reference connection.
  @discardableResult
  func noteCommit(isAnnounced: Bool = true) throws -> Bool {
    let current = try Self.version(reference)
    if current != version { commits += 1 }
    numbers.note(
      commit: commits,
      number: libraryCommits.withLedger { $0.position }.number.rawValue,
      isAnnounced: isAnnounced
    )
    guard current != version else { return false }
    version = current
    try reference.reloadSchemas()
    for (id, observer) in observers {
      histories[id]?.append(commit: commits, outcome: reference.outcome(of: observer.probe))
    }
    for key in sharedHistories.keys {
      let outcome = reference.outcome(of: key.request.probe)
      sharedHistories[key]?.append(commit: commits, outcome: outcome)
    }
    return true
  }

  /// The outcome that an observer must have received last, once nothing is under way.
  func expectation(of observer: SimulatedObserver) -> Outcome? { histories[observer.id]?.current }

  /// Checks the deliveries since the last call, and returns their number.
  ///
  /// `numbersIdentifyStates` is `true` if this process made all commits: each number then
  /// represents one state.
  func checkDeliveries(numbersIdentifyStates: Bool) throws -> Int {
    var count = 0
    // Pools on one file number its commits together.
    var numbered: [String: [UInt64: [[ClosedRange<Int>]]]] = [:]
    for (id, observer) in observers.sorted(by: { $0.key < $1.key }) {
      for delivery in observer.takeDeliveries() {
        count += 1
        let ranges = histories[id]?.accept(delivery.outcome, commits: commits) ?? []
        if ranges.isEmpty, histories[id]?.acceptUnknown() == true { continue }
        guard !ranges.isEmpty else {
          throw SimulationFailure(
            """
            \(observer) received \(delivery.outcome), number \(delivery.number ?? 0), which is \
            \(histories[id]?.entries.contains { $0.outcome == delivery.outcome } == true
              ? "older than the previous delivery" : "not a committed state"):
            \(histories[id]?.entries.map { "after \($0.commit): \($0.outcome)" }.joined(separator: "\n") ?? "")
            """
          )
        }
        if let number = delivery.number {
          if numbersIdentifyStates { try check(ranges, number, delivery.outcome, observer) }
          let place = numbersIdentifyStates ? "all pools" : observer.place
          numbered[place, default: [:]][number, default: []].append(ranges)
        }
      }
    }
    for (place, numbers) in numbered {
      try checkNumbers(numbers, place, numbersIdentifyStates: numbersIdentifyStates)
    }
    return count
  }

  /// Checks only the numbers of the deliveries since the last call. For simultaneous commits, whose
  /// order and states are unknown.
  ///
  /// - Returns: The number of deliveries.
  func checkNumbersOfDeliveries() throws -> Int {
    var count = 0
    for (id, observer) in observers.sorted(by: { $0.key < $1.key }) {
      var last: UInt64 = 0
      for delivery in observer.takeDeliveries() {
        count += 1
        guard let number = delivery.number else { continue }
        guard number >= last else {
          throw SimulationFailure(
            "\(observer) received \(delivery.outcome) with number \(number) after number \(last)"
          )
        }
        last = number
      }
      histories[id]?.skipToPresent(isBuffered: observer.mode.isBuffered)
    }
    return count
  }

  /// Checks that a value belongs to the state that its number represents.
  private func check(
    _ ranges: [ClosedRange<Int>],
    _ number: UInt64,
    _ outcome: Outcome,
    _ observer: SimulatedObserver
  ) throws {
    guard let wanted = numbers.commits(withNumber: number) else { return }
    guard ranges.contains(where: { $0.overlaps(wanted) }) else {
      throw SimulationFailure(
        """
        \(observer) received \(outcome) with number \(number), which stands for the state after \
        \(wanted); the outcome is that of the state after \(ranges)
        """
      )
    }
  }

  /// Checks that values with the same number can come from one state, and that values with a higher
  /// number do not come from an earlier state.
  private func checkNumbers(
    _ numbers: [UInt64: [[ClosedRange<Int>]]],
    _ place: String,
    numbersIdentifyStates: Bool
  ) throws {
    var earliest = 0
    for (number, values) in numbers.sorted(by: { $0.key < $1.key }) {
      let groups = numbersIdentifyStates ? [values] : values.map { [$0] }
      var last = earliest
      for group in groups {
        let candidates = [earliest] + group.joined().map(\.lowerBound).filter { $0 > earliest }
        let fitting = candidates.sorted().first { commit in
          group.allSatisfy { ranges in ranges.contains { $0.contains(commit) } }
        }
        guard let fitting else {
          throw SimulationFailure(
            """
            no state from commit \(earliest) on explains all values with number \(number) in \
            \(place): \(group)
            """
          )
        }
        last = max(last, fitting)
      }
      earliest = last
    }
  }

  /// Discards older states: all observers have received the present state, or have it in their
  /// buffers.
  func forgetPast() {
    numbers = CommitNumbers(
      commit: commits,
      number: libraryCommits.withLedger { $0.position }.number.rawValue
    )
    let living = Set(observers.values.filter(\.isShared).map(SharedKey.init))
    sharedHistories = sharedHistories.filter { living.contains($0.key) }
    for key in sharedHistories.keys { sharedHistories[key]?.forgetPast(isBuffered: false) }
    for (id, observer) in observers {
      histories[id]?.forgetPast(isBuffered: observer.mode.isBuffered)
    }
  }
}

/// The identity of a shared observation.
private struct SharedKey: Hashable {
  let place: String
  let request: ProbeRequest

  init(_ observer: SimulatedObserver) {
    place = observer.place
    request = ProbeRequest(probe: observer.probe)
  }
}

/// The error of a simulation in which a promise was broken.
struct SimulationFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
