import Testing
import TestSupport

@testable import Sharing

@Suite(.patient) struct WakeupTests {
  @Test func `a wake before a wait ends the wait`() async {
    let wakeup = Wakeup()
    wakeup.wake()
    wakeup.wake()
    await wakeup.wait(isolation: nil)
  }

  @Test func `a wake ends the wait of another task`() async {
    let wakeup = Wakeup()
    let waiter = Task { await wakeup.wait(isolation: nil) }
    wakeup.wake()
    await waiter.value
  }

  @Test func `a cancelled task does not wait`() async {
    let wakeup = Wakeup()
    let waiter = Task { await wakeup.wait(isolation: nil) }
    waiter.cancel()
    await waiter.value
  }
}
