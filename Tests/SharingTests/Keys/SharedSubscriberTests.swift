import Sharing
import Testing

@Suite struct SharedSubscriberTests {
  @Test func `a subscriber with closures receives everything that a key delivers`() {
    struct Broken: Error {}
    nonisolated(unsafe) var received: [String] = []
    let subscriber = SharedSubscriber<Int> { result in
      switch result {
      case .success(let value): received.append(value.map { "\($0)" } ?? "initial")
      case .failure: received.append("error")
      }
    } onLoading: {
      received.append("loading \($0)")
    }
    subscriber.yield(1)
    subscriber.yieldReturningInitialValue()
    subscriber.yield(throwing: Broken())
    subscriber.yieldLoading()
    #expect(received == ["1", "initial", "error", "loading true"])
  }
}
