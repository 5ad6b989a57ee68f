import Dispatch
import Testing

@testable import Storage

/// The buffer between an observation and a loop over its events.
@Suite struct StreamSubscriberTests {
  @Test func `the buffer keeps the newest event, or all events if it is unbounded`() async throws {
    for (policy, expected) in [(ObservationBufferingPolicy.newest, [3]), (.unbounded, [1, 2, 3])] {
      let subscriber = StreamSubscriber(policy)
      for number in 1...3 { subscriber.receive(number) }
      #expect(await subscriber.take(expected.count) == expected)
    }
  }

  @Test func `an event that arrives late or twice is dropped`() async throws {
    let subscriber = StreamSubscriber(.unbounded)
    for number in [1, 3, 2, 3, 4] { subscriber.receive(number) }
    #expect(await subscriber.take(3) == [1, 3, 4])
  }

  @Test(arguments: [1, 2, 3, 1000]) func `events keep their order while some of them are taken`(
    size: Int
  ) async throws {
    let subscriber = StreamSubscriber(.unbounded)
    var received = 0
    var taken = 0
    for round in 1...20 {
      for _ in 0..<size * 2 {
        received += 1
        subscriber.receive(received)
      }
      // Only every fifth round takes all of them.
      for _ in 0..<(round.isMultiple(of: 5) ? received - taken : size) {
        taken += 1
        #expect(await subscriber.take() == taken)
      }
    }
    #expect(taken == received)
  }

  @Test func `a waiting task receives each event from another thread`() async throws {
    let subscriber = StreamSubscriber(.unbounded)
    let count = 20_000
    DispatchQueue.global().async {
      for number in 1...count { subscriber.receive(number) }
    }
    #expect(await subscriber.take(count) == Array(1...count))
  }

  @Test func `finishing drops buffered events and later ones`() async throws {
    let subscriber = StreamSubscriber(.unbounded)
    subscriber.receive(1)
    subscriber.receive(2)
    #expect(await subscriber.take() == 1)
    subscriber.finish()
    subscriber.receive(3)
    #expect(await subscriber.take() == nil)
    #expect(await subscriber.take() == nil)
  }

  @Test(arguments: 0..<200) func `finishing ends a task that waits or is about to wait`(
    _ round: Int
  ) async throws {
    let subscriber = StreamSubscriber(.newest)
    let task = Task { await subscriber.take() }
    if round.isMultiple(of: 2) {
      DispatchQueue.global().async { subscriber.finish() }
    } else {
      task.cancel()
    }
    #expect(await task.value == nil)
    subscriber.receive(1)
    #expect(await subscriber.take() == nil)
  }

  @Test func `a dropped event is released`() async throws {
    let subscriber = StreamSubscriber(.newest)
    weak let first = subscriber.receive(1)
    #expect(first != nil)
    weak let second = subscriber.receive(2)
    #expect(first == nil)
    #expect(second != nil)
    subscriber.finish()
    #expect(second == nil)
  }

  @Test func `two tasks at the same time are a programmer error`() async throws {
    await #expect(processExitsWith: .failure) {
      let subscriber = StreamSubscriber(.newest)
      async let first = subscriber.take()
      async let second = subscriber.take()
      _ = await (first, second)
    }
  }
}

extension StreamSubscriber {
  /// Receives an event that has a number as its sequence number and as its value.
  @discardableResult
  fileprivate func receive(_ number: Int) -> AnyObservedMoment {
    let moment = ObservedMoment(
      sequence: UInt64(number),
      Numbered(number: UInt64(number), value: number)
    )
    _ = receive(moment)
    return moment
  }

  /// Returns the number of the next event; `nil` at the end.
  fileprivate func take() async -> Int? {
    guard case .value(let numbered) = await next()?.event(of: Int.self) else { return nil }
    return numbered.value
  }

  fileprivate func take(_ count: Int) async -> [Int?] {
    var taken: [Int?] = []
    for _ in 0..<count { taken.append(await take()) }
    return taken
  }
}
