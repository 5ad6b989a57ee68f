import Dispatch
import Testing
import TestSupport
import WellspringSystem

@testable import Storage

/// The callbacks of a batch are made by few threads, and wait for each other only where a serial
/// queue makes them.
@Suite struct CallRunTests {
  private final class Call: PendingCall {
    let queue: DispatchQueue?
    private let body: @Sendable () -> Void

    init(on queue: DispatchQueue? = nil, _ body: @escaping @Sendable () -> Void) {
      self.queue = queue
      self.body = body
    }

    func make() { body() }
    func dispatch() { (queue ?? .global()).async { self.body() } }
  }

  private static let key = DispatchSpecificKey<String>()

  private func makeQueue(
    _ name: String,
    attributes: DispatchQueue.Attributes = []
  ) -> DispatchQueue {
    let queue = DispatchQueue(label: name, attributes: attributes)
    queue.setSpecific(key: Self.key, value: name)
    return queue
  }

  @Test func `calls are made on their queues, in order, and other calls are returned`() {
    let (first, second) = (makeQueue("first"), makeQueue("second"))
    let made = Lock<[String]>([])
    let queues = [first, second, nil, first, second, first]
    let calls = queues.enumerated().map { number, queue in
      Call(on: queue) {
        let name = DispatchQueue.getSpecific(key: Self.key) ?? "none"
        made.withLock { $0.append("\(name) \(number)") }
      }
    }
    let others = CallRun.dispatchOnQueues(calls)
    #expect(others.count == 1 && others[0] === calls[2])
    for queue in [first, second] { queue.sync {} }
    let found = made.withLock { $0 }
    #expect(found.filter { $0.hasPrefix("first") } == ["first 0", "first 3", "first 5"])
    #expect(found.filter { $0.hasPrefix("second") } == ["second 1", "second 4"])
    #expect(found.count == 5)
  }

  @Test(arguments: ["a concurrent queue", nil])
  func `a call that waits for a later one does not hold it up`(name: String?) {
    let queue = name.map { makeQueue($0, attributes: .concurrent) }
    let (later, all) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let waiting = Call(on: queue) {
      later.wait()
      all.signal()
    }
    let signalling = Call(on: queue) { later.signal() }
    let last = Call(on: queue) { all.signal() }
    CallRun.dispatch(CallRun.dispatchOnQueues([waiting, signalling, last]))
    for _ in 0..<2 {
      let result = all.wait(timeout: .now() + Patience.seconds)
      #expect(result == .success)
    }
  }

  @Test func `a long call on a serial queue comes before the calls after it`() {
    let serial = makeQueue("serial")
    let made = Lock<[Int]>([])
    let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let calls = (0..<3).map { number in
      Call(on: serial) {
        if number == 0 {
          begun.signal()
          mayEnd.wait()
        }
        made.withLock { $0.append(number) }
      }
    }
    _ = CallRun.dispatchOnQueues(calls)
    begun.wait()
    #expect(made.withLock { $0 } == [])
    mayEnd.signal()
    serial.sync {}
    #expect(made.withLock { $0 } == [0, 1, 2])
  }
}
