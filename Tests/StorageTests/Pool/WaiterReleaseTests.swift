@testable import Storage
import Testing

@Suite struct WaiterReleaseTests {
  @Test func `a served waiter is released`() {
    final class Waiter: Sendable {}
    var machine = ConnectionQueueStateMachine<Int, Waiter>(capacity: 1, idle: [1])
    _ = machine.acquire { _ in Waiter() }
    weak var first: Waiter?
    _ = machine.acquire { _ in
      let waiter = Waiter(); first = waiter; return waiter
    }
    _ = machine.acquire { _ in Waiter() }
    _ = machine.release(1)
    _ = machine.cancel(1)
    #expect(first == nil)
  }
}
