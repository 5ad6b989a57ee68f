import Foundation
import Storage
import TestSupport

extension Simulation {
  /// Waits until nothing is under way, and checks the deliveries since the last call.
  ///
  /// - Parameter afterUnknownCommits: Whether there were simultaneous commits since the last call.
  /// - Throws: ``SimulationFailure``.
  func settle(afterUnknownCommits: Bool = false) throws {
    note("settle")
    for observer in observers { observer.resume() }
    // The task of a cancelled loop may begin late. Until it has ended, its observation takes part
    // in every commit.
    for observer in ending where observer.mode.isBuffered {
      try waitUntil {
        observer.hasEnded
      } orFailWith: {
        "\(observer) has not ended"
      }
    }
    ending = []
    // Sometimes all values must arrive without a call of `quiesce()`.
    if random.chance(25) { for observer in observers { try waitForPresent(observer) } }
    for (_, reader) in world.readers { try reader.quiesce() }
    for observer in observers {
      // Callbacks have run by now. Buffered values wait until a task takes them.
      if observer.mode.isBuffered {
        try waitForPresent(observer)
      } else {
        try checkPresent(observer)
      }
    }
    // If a loop has just begun, the first check of its pool for foreign commits may wake all pools
    // on the file.
    for (_, reader) in world.readers { try reader.quiesce() }
    counts.deliveries +=
      try afterUnknownCommits
      ? world.oracle.checkNumbersOfDeliveries()
      : world.oracle.checkDeliveries(numbersIdentifyStates: !hasForeignCommits)
    world.oracle.forgetPast()
    for index in observers.indices.reversed() {
      if observers[index].lateDeliveries > 1 {
        throw SimulationFailure("\(observers[index]) received several values after its end")
      }
      guard observers[index].hasEnded else { continue }
      guard observers[index].mayHaveEnded else {
        throw SimulationFailure("\(observers[index]) ended without an error or a cancellation")
      }
      cancelObserver(at: index)
    }
    try checkLiveObservations()
    hasForeignCommits = false
  }

  /// Checks that the pools have only the observations of the live observers.
  func checkLiveObservations() throws {
    for (place, reader) in world.readers {
      // An observer that has just got an error has ended, or is about to.
      func expected() -> Int {
        let observersOfPool = observers.filter { $0.place == place && !$0.hasEnded }
        let shared = Set(observersOfPool.filter(\.isShared).map { ProbeRequest(probe: $0.probe) })
        return observersOfPool.count { !$0.isShared } + shared.count
      }
      // A loop ends when its task notices that it was cancelled.
      try waitUntil {
        reader.observationStatistics.live == expected()
      } orFailWith: {
        "\(place) has \(reader.observationStatistics.live) live observations instead of \(expected())"
      }
    }
  }

  private func waitUntil(_ condition: () -> Bool, orFailWith message: () -> String) throws {
    let deadline = ContinuousClock.now + Self.timeout
    while !condition() {
      guard ContinuousClock.now < deadline else { throw SimulationFailure(message()) }
      Thread.sleep(forTimeInterval: 0.0002)
    }
  }

  /// Checks that the last delivery to an observer is the present result of its query.
  private func checkPresent(_ observer: SimulatedObserver) throws {
    guard isUpToDate(observer) else { throw SimulationFailure(outdatedMessage(observer)) }
  }

  private func waitForPresent(_ observer: SimulatedObserver) throws {
    try waitUntil {
      isUpToDate(observer)
    } orFailWith: {
      outdatedMessage(observer)
    }
  }

  private func isUpToDate(_ observer: SimulatedObserver) -> Bool {
    observer.hasEnded && observer.mayHaveEnded
      || observer.last == world.oracle.expectation(of: observer)
  }

  private func outdatedMessage(_ observer: SimulatedObserver) -> String {
    """
    \(observer) received \(observer.last.map { "\($0)" } ?? "nothing") last; the query returns \
    \(world.oracle.expectation(of: observer).map { "\($0)" } ?? "nothing"). It \
    \(observer.explanation.map { "\($0)" } ?? "has ended")
    \(observer.reader.observationStatistics)
    \(observers.map { "\(isUpToDate($0)) \($0)" }.joined(separator: "\n"))
    """
  }
}
