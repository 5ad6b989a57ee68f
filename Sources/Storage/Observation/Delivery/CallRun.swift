internal import Dispatch
internal import Synchronization

/// A call of a subscriber's closure. No other thread may wait for the thread that makes it, because
/// the closure may take any time.
protocol PendingCall: AnyObject, Sendable {
  /// The queue on which the call must be made; `nil` when any thread may make it.
  var queue: DispatchQueue? { get }
  /// Makes the call on the current thread.
  func make()
  /// Lets another thread make the call.
  func dispatch()
}

/// Makes the calls of a batch one after the other on one thread, or on one queue, which costs much
/// less than waking a thread or queueing a closure for each call. When a call takes long, another
/// thread continues with the calls after it, if the queue allows that.
final class CallRun: Sendable {
  /// How long a call may take before the calls after it get another thread, in milliseconds.
  private static let patience = 1

  /// Watches the runs. It never blocks.
  private static let overseer = DispatchQueue(label: "wellspring.callbacks.overseer")

  private let calls: [any PendingCall]
  /// The queue on which the calls must be made; `nil` for any thread.
  private let queue: DispatchQueue?
  /// How many calls have begun. At the end, it exceeds the number of calls.
  private let begun = Atomic(0)

  /// Lets queues make the calls that must be made on them.
  ///
  /// - Parameter calls: Any calls.
  /// - Returns: The other ones, which any thread may make.
  static func dispatchOnQueues(_ calls: [any PendingCall]) -> [any PendingCall] {
    guard calls.contains(where: { $0.queue != nil }) else { return calls }
    var queues: [(queue: DispatchQueue, calls: [any PendingCall])] = []
    var indexes: [ObjectIdentifier: Int] = [:]
    var others: [any PendingCall] = []
    for call in calls {
      guard let queue = call.queue else {
        others.append(call)
        continue
      }
      let index = indexes[ObjectIdentifier(queue), default: queues.count]
      if index == queues.count {
        indexes[ObjectIdentifier(queue)] = index
        queues.append((queue, []))
      }
      queues[index].calls.append(call)
    }
    for (queue, calls) in queues { queue.async { make(calls, on: queue) } }
    return others
  }

  /// Makes calls that any thread may make, on another thread.
  static func dispatch(_ calls: [any PendingCall]) {
    guard calls.count > 1 else { return calls.first?.dispatch() ?? () }
    DispatchQueue(label: "wellspring.callbacks").async { make(calls) }
  }

  /// Makes calls, on the current thread, and on other threads of the queue, if one is given.
  static func make(_ calls: [any PendingCall], on queue: DispatchQueue? = nil) {
    guard calls.count > 1 else { return calls.first?.make() ?? () }
    let run = CallRun(calls, on: queue)
    withExtendedLifetime(run) { run.work() }
  }

  private init(_ calls: [any PendingCall], on queue: DispatchQueue?) {
    self.calls = calls
    self.queue = queue
  }

  private func work() {
    oversee(begunAtLastLook: begun.load(ordering: .relaxed))
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
      // The thread that continues is watched in turn. A serial queue has one after the call only.
      (queue ?? DispatchQueue(label: "wellspring.callbacks.spare")).async { self.work() }
    } else {
      oversee(begunAtLastLook: begun)
    }
  }
}
