internal import Dispatch
internal import WellspringPlatform

/// Makes the calls that a batch has led to, one after the other on one thread, which costs much less
/// than a thread's attention for each of them. When one takes long, another thread goes on with those
/// behind it.
final class CallRun: Sendable {
  private struct State {
    /// The calls to make, the next one last.
    var calls: [PendingCall]
    /// How many calls there were when somebody last looked whether there is progress.
    var countAtLastLook: Int
  }

  /// How long a call may take before those behind it get another thread, in milliseconds.
  private static let patience = 1

  /// Looks after the runs. It never blocks.
  private static let overseer = DispatchQueue(label: "wellspring.callbacks.overseer")

  // Guards the calls, which are made outside of it.
  private let state: Lock<State>

  /// Makes calls, on the current thread and others.
  static func make(_ calls: [PendingCall]) {
    guard calls.count > 1 else { return calls.first?.run() ?? () }
    let run = CallRun(calls)
    run.oversee()
    run.work()
  }

  private init(_ calls: [PendingCall]) {
    state = Lock(State(calls: calls.reversed(), countAtLastLook: calls.count))
  }

  private func work() {
    while let call = state.withLock({ $0.calls.popLast() }) { call.run() }
  }

  private func oversee() {
    Self.overseer.asyncAfter(deadline: .now() + .milliseconds(Self.patience)) { [weak self] in
      self?.look()
    }
  }

  private func look() {
    let (isDone, isStuck) = state.withLock { state in
      defer { state.countAtLastLook = state.calls.count }
      return (state.calls.isEmpty, state.calls.count == state.countAtLastLook)
    }
    guard !isDone else { return }
    if isStuck { DispatchQueue(label: "wellspring.callbacks.spare").async { self.work() } }
    oversee()
  }
}
