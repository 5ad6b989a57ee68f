internal import Dispatch
internal import Observation
internal import WellspringSystem

/// Reports reads and changes of a state to the standard library's Observation, on any thread.
///
/// `withObservationTracking` and `Observations` read a state first and start to listen a little
/// later. They would miss a change between the two. So the end of a state that was read is reported
/// repeatedly for a while. The states take turns in using a few slots, so a repetition does not
/// disturb observers that have read a newer state.
final class ChangeSignal: Observable, Sendable {
  private struct State {
    /// The number of reports that are still due, per slot.
    var repetitions: [8 of Int] = .init(repeating: 0)
    var isScheduled = false
  }

  /// The times between the reports that a state has ended.
  private static let delays: [DispatchTimeInterval] = [
    .milliseconds(2), .milliseconds(30), .milliseconds(500), .seconds(5),
  ]

  private static let queue = DispatchQueue(label: "wellspring.observation")

  private let registrar = ObservationRegistrar()
  // Guards the reports that are due.
  private let state = Lock(State())

  var slot0: Void { () }
  var slot1: Void { () }
  var slot2: Void { () }
  var slot3: Void { () }
  var slot4: Void { () }
  var slot5: Void { () }
  var slot6: Void { () }
  var slot7: Void { () }

  private static func keyPath(ofSlot slot: Int) -> KeyPath<ChangeSignal, Void> {
    switch slot {
    case 0: \.slot0
    case 1: \.slot1
    case 2: \.slot2
    case 3: \.slot3
    case 4: \.slot4
    case 5: \.slot5
    case 6: \.slot6
    default: \.slot7
    }
  }

  /// Registers a read of the state that began with a change.
  func didRead(_ change: UInt64) {
    registrar.access(self, keyPath: Self.keyPath(ofSlot: Int(change % 8)))
  }

  /// Reports the end of a state that was read.
  func didEnd(_ change: UInt64) {
    let slot = Int(change % 8)
    report(slot)
    let mustSchedule = state.withLock { state in
      state.repetitions[slot] = Self.delays.count
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if mustSchedule { schedule(after: Self.delays[0]) }
  }

  private func schedule(after delay: DispatchTimeInterval) {
    // The closure keeps the signal alive: an observer may have read a source that was released when
    // the reader left it, and starts to listen only now.
    Self.queue.asyncAfter(deadline: .now() + delay) { self.reportAgain() }
  }

  private func reportAgain() {
    let (slots, delay) = state.withLock { state -> ([Int], DispatchTimeInterval?) in
      var slots: [Int] = []
      var most = 0
      for slot in state.repetitions.indices where state.repetitions[slot] > 0 {
        slots.append(slot)
        state.repetitions[slot] -= 1
        most = max(most, state.repetitions[slot])
      }
      state.isScheduled = most > 0
      return (slots, most > 0 ? Self.delays[Self.delays.count - most] : nil)
    }
    for slot in slots { report(slot) }
    if let delay { schedule(after: delay) }
  }

  private func report(_ slot: Int) {
    let keyPath = Self.keyPath(ofSlot: slot)
    // Both calls follow the change, so an observer that reads now reads the new state.
    registrar.willSet(self, keyPath: keyPath)
    registrar.didSet(self, keyPath: keyPath)
  }
}
