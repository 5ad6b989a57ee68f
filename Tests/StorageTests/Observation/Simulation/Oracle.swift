@testable import Storage

/// Says what observers may be shown.
///
/// As a rule, one thread makes all changes, so that the probes can be run on the reference after each
/// commit. That gives the history of each, against which its observer's values are held.
final class Oracle {
  let reference: ReferenceConnection
  /// How many commits there were.
  private(set) var commits = 0
  /// The numbers that the library gives to commits of this process.
  private let libraryCommits: FileCommits
  private var numbers: CommitNumbers
  private var version: [String]
  private var observers: [Int: SimulatedObserver] = [:]
  private var histories: [Int: History] = [:]
  /// What the requests gave that are observed, or were since all was quiet last.
  private var sharedHistories: [SharedKey: History] = [:]

  init(reference: ReferenceConnection, of pool: DatabasePool) throws {
    self.reference = reference
    libraryCommits = pool.core.broker.commits
    numbers = CommitNumbers(number: libraryCommits.position.number)
    version = try Self.version(reference)
  }

  private static func version(_ reference: ReferenceConnection) throws -> [String] {
    try reference.schemas.flatMap { try reference.rows("PRAGMA \($0).data_version") }
  }

  /// An observer is about to start.
  func add(_ observer: SimulatedObserver) {
    observers[observer.id] = observer
    let history = History(commit: commits, outcome: reference.outcome(of: observer.probe))
    guard observer.isShared else {
      histories[observer.id] = history
      return
    }
    // Whoever comes late gets the value that is there: what others commit is noticed some time later.
    let key = SharedKey(observer)
    histories[observer.id] = sharedHistories[key, default: history]
    sharedHistories[key] = histories[observer.id]
  }

  func remove(_ observer: SimulatedObserver) {
    observers[observer.id] = nil
    histories[observer.id] = nil
  }

  /// Takes note of the state, when something has been committed since the last time.
  ///
  /// - Parameter isAnnounced: Whether the library has given it its number by now.
  /// - Returns: Whether something has.
  /// - Throws: An error of the reference.
  @discardableResult
  func noteCommit(isAnnounced: Bool = true) throws -> Bool {
    let current = try Self.version(reference)
    if current != version { commits += 1 }
    numbers.note(
      commit: commits,
      number: libraryCommits.position.number,
      isAnnounced: isAnnounced
    )
    guard current != version else { return false }
    version = current
    try reference.learnSchemas()
    for (id, observer) in observers {
      histories[id]?.append(commit: commits, outcome: reference.outcome(of: observer.probe))
    }
    for key in sharedHistories.keys {
      let outcome = reference.outcome(of: key.request.probe)
      sharedHistories[key]?.append(commit: commits, outcome: outcome)
    }
    return true
  }

  /// What an observer must have been shown last, once nothing is under way.
  func expectation(of observer: SimulatedObserver) -> Outcome? { histories[observer.id]?.current }

  /// Checks what has been delivered since the last time, and returns how much that was.
  ///
  /// `numbersTell` when all commits were made by this process: then one number means one state.
  func checkDeliveries(numbersTell: Bool) throws -> Int {
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
            \(observer) was shown \(delivery.outcome), number \(delivery.number ?? 0), which is \
            \(histories[id]?.entries.contains { $0.outcome == delivery.outcome } == true
              ? "older than what it was shown before" : "no state that was committed"):
            \(histories[id]?.entries.map { "after \($0.commit): \($0.outcome)" }.joined(separator: "\n") ?? "")
            """
          )
        }
        if let number = delivery.number {
          if numbersTell { try check(ranges, number, delivery.outcome, observer) }
          let place = numbersTell ? "all pools" : observer.place
          numbered[place, default: [:]][number, default: []].append(ranges)
        }
      }
    }
    for (place, numbers) in numbered {
      try checkNumbers(numbers, place, numbersTell: numbersTell)
    }
    return count
  }

  /// Checks what has been delivered since the last time, when several have committed at the same time, so
  /// that nobody knows what there was between the first state and the last.
  ///
  /// - Returns: How much that was.
  func checkNumbersOfDeliveries() throws -> Int {
    var count = 0
    for (id, observer) in observers.sorted(by: { $0.key < $1.key }) {
      var last: UInt64 = 0
      for delivery in observer.takeDeliveries() {
        count += 1
        guard let number = delivery.number else { continue }
        guard number >= last else {
          throw SimulationFailure(
            "\(observer) was shown \(delivery.outcome) with number \(number) after number \(last)"
          )
        }
        last = number
      }
      histories[id]?.skipToPresent(isBuffered: observer.mode.isBuffered)
    }
    return count
  }

  /// Checks that a value comes from the state that its number stands for.
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
        \(observer) was shown \(outcome) with number \(number), which stands for the state after \
        \(wanted); it is that after \(ranges)
        """
      )
    }
  }

  /// Checks that the values of one number can come from one state, and those of a higher number from
  /// none before it.
  private func checkNumbers(
    _ numbers: [UInt64: [[ClosedRange<Int>]]],
    _ place: String,
    numbersTell: Bool
  ) throws {
    var earliest = 0
    for (number, values) in numbers.sorted(by: { $0.key < $1.key }) {
      let groups = numbersTell ? [values] : values.map { [$0] }
      var last = earliest
      for group in groups {
        let candidates = [earliest] + group.joined().map(\.lowerBound).filter { $0 > earliest }
        let fitting = candidates.sorted().first { commit in
          group.allSatisfy { ranges in ranges.contains { $0.contains(commit) } }
        }
        guard let fitting else {
          throw SimulationFailure(
            """
            the values with number \(number) in \(place) come from several states: \(group), not \
            before commit \(earliest)
            """
          )
        }
        last = max(last, fitting)
      }
      earliest = last
    }
  }

  /// All observers have been shown the present, or will take it from their buffers.
  func forgetPast() {
    numbers = CommitNumbers(commit: commits, number: libraryCommits.position.number)
    let living = Set(observers.values.filter(\.isShared).map(SharedKey.init))
    sharedHistories = sharedHistories.filter { living.contains($0.key) }
    for key in sharedHistories.keys { sharedHistories[key]?.forgetPast(isBuffered: false) }
    for (id, observer) in observers {
      histories[id]?.forgetPast(isBuffered: observer.mode.isBuffered)
    }
  }
}

/// By what observations are one.
private struct SharedKey: Hashable {
  let place: String
  let request: ProbeRequest

  init(_ observer: SimulatedObserver) {
    place = observer.place
    request = ProbeRequest(probe: observer.probe)
  }
}

/// A promise that was broken.
struct SimulationFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
