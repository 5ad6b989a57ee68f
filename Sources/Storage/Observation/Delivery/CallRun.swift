internal import Dispatch
internal import Synchronization

/// Makes the calls of a batch one after the other on one thread, which costs much less than waking
/// a thread for each call. When a call takes long, another thread continues with the calls after
/// it.
final class CallRun: Sendable {
  /// How long a call may take before the calls after it get another thread, in milliseconds.
  private static let patience = 1

  /// Watches the runs. It never blocks.
  private static let overseer = DispatchQueue(label: "wellspring.callbacks.overseer")

  private let calls: [any PendingCall]
  /// How many calls have begun. At the end, it exceeds the number of calls.
  private let begun = Atomic(0)

  /// Makes calls on another thread.
  static func dispatch(_ calls: [any PendingCall]) {
    guard calls.count > 1 else { return calls.first?.dispatch() ?? () }
    DispatchQueue(label: "wellspring.callbacks").async { make(calls) }
  }

  /// Makes calls, on the current thread and on other threads.
  static func make(_ calls: [any PendingCall]) {
    guard calls.count > 1 else { return calls.first?.make() ?? () }
    let run = CallRun(calls)
    run.oversee(begunAtLastLook: 0)
    run.work()
  }

  private init(_ calls: [any PendingCall]) {
    self.calls = calls
  }

  private func work() {
    while true {
      let index = begun.add(1, ordering: .relaxed).oldValue
      guard index < calls.count else { return }
      calls[index].make()
    }
  }

  private func oversee(begunAtLastLook: Int) {
    Self.overseer.asyncAfter(deadline: .now() + .milliseconds(Self.patience)) { [weak self] in
      self?.look(begunAtLastLook)
    }
  }

  private func look(_ begunAtLastLook: Int) {
    let begun = begun.load(ordering: .relaxed)
    guard begun < calls.count else { return }
    if begun == begunAtLastLook {
      DispatchQueue(label: "wellspring.callbacks.spare").async { self.work() }
    }
    oversee(begunAtLastLook: begun)
  }
}
