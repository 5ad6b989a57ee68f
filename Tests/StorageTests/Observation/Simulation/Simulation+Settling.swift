import Foundation
import Storage

extension Simulation {
  /// Waits until nothing is under way, and checks what has been delivered.
  ///
  /// - Parameter afterUnknownCommits: Whether several have committed at the same time since the last time.
  /// - Throws: ``SimulationFailure``.
  func settle(afterUnknownCommits: Bool = false) throws {
    note("settle")
    for observer in observers { observer.resume() }
    // A loop may begin after it was cancelled, and what it then observes is looked at by every commit.
    for observer in ending where observer.mode.isBuffered {
      try waitUntil {
        observer.hasEnded
      } orFailWith: {
        "\(observer) has not ended"
      }
    }
    ending = []
    // Now and then everything must come without being asked for.
    if random.chance(25) { for observer in observers { try waitForPresent(observer) } }
    for (_, reader) in world.readers { try reader.quiesce() }
    for observer in observers {
      // What has been called back is there; what is buffered is taken by a task some time.
      if observer.mode.isBuffered {
        try waitForPresent(observer)
      } else {
        try checkPresent(observer)
      }
    }
    // The first look of a pool whose loop has just begun is news to all pools on the file.
    for (_, reader) in world.readers { try reader.quiesce() }
    counts.deliveries +=
      try afterUnknownCommits
      ? world.oracle.checkNumbersOfDeliveries()
      : world.oracle.checkDeliveries(numbersTell: !hasForeignCommits)
    world.oracle.forgetPast()
    for index in observers.indices.reversed() {
      if observers[index].lateDeliveries > 1 {
        throw SimulationFailure("\(observers[index]) was shown values after its end")
      }
      guard observers[index].hasEnded else { continue }
      guard observers[index].mayHaveEnded else {
        throw SimulationFailure("\(observers[index]) has ended by itself")
      }
      cancelObserver(at: index)
    }
    try checkLiveObservations()
    hasForeignCommits = false
  }

  /// Checks that the observations that have ended are gone.
  func checkLiveObservations() throws {
    for (place, reader) in world.readers {
      let there = observers.filter { $0.place == place }
      let shared = Set(there.filter(\.isShared).map { ProbeRequest(probe: $0.probe) })
      let expected = there.count { !$0.isShared } + shared.count
      // A loop ends when its task notices that it was cancelled.
      try waitUntil {
        reader.observationStatistics.live == expected
      } orFailWith: {
        "\(reader.observationStatistics.live) instead of \(expected) observations live in \(place)"
      }
    }
  }

  private func waitUntil(_ condition: () -> Bool, orFailWith message: () -> String) throws {
    let deadline = ContinuousClock.now + Self.patience
    while !condition() {
      guard ContinuousClock.now < deadline else { throw SimulationFailure(message()) }
      Thread.sleep(forTimeInterval: 0.0002)
    }
  }

  /// Checks that the last thing an observer was shown is what its query gives.
  private func checkPresent(_ observer: SimulatedObserver) throws {
    guard isShownPresent(observer) else { throw SimulationFailure(notShownPresent(observer)) }
  }

  private func waitForPresent(_ observer: SimulatedObserver) throws {
    try waitUntil {
      isShownPresent(observer)
    } orFailWith: {
      notShownPresent(observer)
    }
  }

  private func isShownPresent(_ observer: SimulatedObserver) -> Bool {
    observer.hasEnded && observer.mayHaveEnded
      || observer.last == world.oracle.expectation(of: observer)
  }

  private func notShownPresent(_ observer: SimulatedObserver) -> String {
    """
    \(observer) was last shown \(observer.last.map { "\($0)" } ?? "nothing"); the query gives \
    \(world.oracle.expectation(of: observer).map { "\($0)" } ?? "nothing"). It \
    \(observer.explanation.map { "\($0)" } ?? "has ended")
    \(observer.reader.observationStatistics)
    \(observers.map { "\(isShownPresent($0)) \($0)" }.joined(separator: "\n"))
    """
  }
}
