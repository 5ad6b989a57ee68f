internal import Dispatch
internal import Observation
internal import WellspringPlatform

/// Tells the standard library's Observation what was read and what has changed, on whatever threads.
///
/// `withObservationTracking` and `Observations` read first, and listen from some time later on: a change
/// that comes between would never be told. So those who have read a state are told of its end again and
/// again for a while. Each state has a slot, of a few that take turns, so that those who have read a
/// newer state are left in peace.
final class ChangeSignal: Observable, Sendable {
  private struct State {
    /// For each slot: how often it has still to be told that its state has ended.
    var repetitions: [8 of Int] = .init(repeating: 0)
    var isScheduled = false
  }

  /// When the end of a state is told again, counted from the time before.
  private static let delays: [DispatchTimeInterval] = [
    .milliseconds(2), .milliseconds(30), .milliseconds(500), .seconds(5),
  ]

  private static let queue = DispatchQueue(label: "wellspring.observation")

  private let registrar = ObservationRegistrar()
  // Guards what is to be told again.
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

  /// A state was read that began with the change of this number.
  func didRead(_ change: UInt64) {
    registrar.access(self, keyPath: Self.keyPath(ofSlot: Int(change % 8)))
  }

  /// A state has ended that had been read.
  func didEnd(_ change: UInt64) {
    let slot = Int(change % 8)
    tell(slot)
    let mustSchedule = state.withLock { state in
      state.repetitions[slot] = Self.delays.count
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if mustSchedule { schedule(after: Self.delays[0]) }
  }

  private func schedule(after delay: DispatchTimeInterval) {
    // Without a reference to it, nobody can have read it.
    Self.queue.asyncAfter(deadline: .now() + delay) { [weak self] in self?.tellAgain() }
  }

  private func tellAgain() {
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
    for slot in slots { tell(slot) }
    if let delay { schedule(after: delay) }
  }

  private func tell(_ slot: Int) {
    let keyPath = Self.keyPath(ofSlot: slot)
    // After the change: who reads now, reads the new state.
    registrar.willSet(self, keyPath: keyPath)
    registrar.didSet(self, keyPath: keyPath)
  }
}
