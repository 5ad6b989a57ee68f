internal import Dispatch
internal import WellspringSystem

/// The clock of limited deliveries. Tests replace it.
protocol DeliveryClock: Sendable {
  /// The time since an arbitrary moment.
  var now: Duration { get }

  /// Calls a closure at a time, or a little later.
  func wake(at time: Duration, _ action: @escaping @Sendable () -> Void)
}

/// The clock of the system.
struct SystemDeliveryClock: DeliveryClock {
  /// The clock of the keys that are subscribed to in a task.
  @TaskLocal static var current: any DeliveryClock = SystemDeliveryClock()

  var now: Duration { .nanoseconds(DispatchTime.now().uptimeNanoseconds) }

  func wake(at time: Duration, _ action: @escaping @Sendable () -> Void) {
    let delay = DispatchTimeInterval.nanoseconds(Int(clamping: (time - now).nanoseconds))
    DispatchQueue.global().asyncAfter(deadline: .now() + delay, execute: action)
  }
}
