@testable import Storage
import Testing
import WellspringSystem

@Suite struct BusyHandlerTests {
  private let cancellation = Cancellation()

  @Test func `a timeout ends the tries`() {
    #expect(BusyHandler(mode: .timeout(60), cancellation: cancellation).shouldRetry(tries: 0))
    #expect(!BusyHandler(mode: .timeout(0), cancellation: cancellation).shouldRetry(tries: 0))
    #expect(!BusyHandler(mode: .immediateError, cancellation: cancellation).shouldRetry(tries: 0))
  }

  @Test func `a callback decides by the number of tries`() {
    let handler = BusyHandler(mode: .callback { $0 < 2 }, cancellation: cancellation)
    #expect((0..<4).map { handler.shouldRetry(tries: $0) } == [true, true, false, false])
  }

  @Test func `a cancelled access does not try again, and does not call the callback`() {
    let calls = Lock(0)
    let callback: @Sendable (Int) -> Bool = { _ in
      calls.withLock { $0 += 1 }
      return true
    }
    cancellation.set(.cancelled)
    #expect(!BusyHandler(mode: .timeout(60), cancellation: cancellation).shouldRetry(tries: 0))
    let handler = BusyHandler(mode: .callback(callback), cancellation: cancellation)
    #expect(!handler.shouldRetry(tries: 0))
    #expect(calls.withLock { $0 } == 0)
    cancellation.set(.none)
    #expect(handler.shouldRetry(tries: 0))
  }
}
