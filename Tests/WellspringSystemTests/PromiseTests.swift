import Testing
import WellspringSystem

@Suite struct PromiseTests {
  @Test func `the first result counts`() async {
    let value = await Promise.value { promise in
      promise.fulfil(1)
      promise.fulfil(2)
    } onCancel: {
      3
    }
    #expect(value == 1)
  }

  @Test func `a task waits for a later result`() async {
    let value = await Promise.value { promise in
      Task { promise.fulfil(1) }
    } onCancel: {
      2
    }
    #expect(value == 1)
  }

  @Test func `cancelling the task ends the wait`() async {
    let task = Task {
      await Promise.value { _ in
      } onCancel: {
        2
      }
    }
    task.cancel()
    #expect(await task.value == 2)
  }
}
