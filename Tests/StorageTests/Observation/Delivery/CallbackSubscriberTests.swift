import Dispatch
import Testing
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

/// The calls of an observation's closure. A test makes them when it likes.
@Suite struct CallbackSubscriberTests {
  /// Keeps the calls that a subscriber asks for until a test makes them.
  private final class ManualScheduler: ValueObservationScheduler {
    // Guards the calls.
    private let calls = Lock<[@Sendable () -> Void]>([])

    /// How many calls were asked for and not made.
    var count: Int { calls.withLock { $0.count } }

    func schedule(_ action: @escaping @Sendable () -> Void) {
      calls.withLock { $0.append(action) }
    }

    /// Makes the call that was asked for first.
    func makeCall() {
      let call: (@Sendable () -> Void)? = calls.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      call?()
    }
  }

  /// A subscriber, and the log of its calls and flushes.
  private struct Subject {
    private struct Reference {
      weak var subscriber: CallbackSubscriber?
    }

    let scheduler: ManualScheduler
    let log: LineLog
    let subscriber: CallbackSubscriber

    /// - Parameters:
    ///   - interval: The shortest time between two calls.
    ///   - body: Called during each call, with the number of its event.
    init(
      interval: Duration? = nil,
      during body: @escaping @Sendable (CallbackSubscriber, LineLog, Int) -> Void = { _, _, _ in }
    ) {
      let (scheduler, log) = (ManualScheduler(), LineLog())
      // Guards the subscriber, which is made after its closure.
      let reference = Lock(Reference())
      let subscriber = CallbackSubscriber(
        scheduler: scheduler,
        interval: interval,
        handler: { moment in
          log.append("begin \(moment.sequence)")
          if let subscriber = reference.withLock({ $0.subscriber }) {
            body(subscriber, log, Int(moment.sequence))
          }
          log.append("end \(moment.sequence)")
        }
      )
      reference.withLock { $0.subscriber = subscriber }
      self.scheduler = scheduler
      self.log = log
      self.subscriber = subscriber
    }

    func flush(_ name: String) {
      subscriber.flush { [log] in log.append("flushed \(name)") }
    }
  }

  // MARK: Events

  @Test func `one call is asked for at a time, and makes the newest event`() {
    let subject = Subject()
    for number in 1...3 { subject.subscriber.receive(number) }
    #expect(subject.scheduler.count == 1)
    subject.scheduler.makeCall()
    #expect(subject.log.all == ["begin 3", "end 3"])
    #expect(subject.scheduler.count == 0)
    subject.subscriber.receive(4)
    subject.scheduler.makeCall()
    #expect(subject.log.all == ["begin 3", "end 3", "begin 4", "end 4"])
  }

  @Test func `events that come during a call wait for its end, and the newest one wins`() {
    let subject = Subject { subscriber, _, number in
      guard number == 1 else { return }
      for later in 2...3 { subscriber.receive(later) }
    }
    subject.subscriber.receive(1)
    for count in [1, 0, 0] {
      subject.scheduler.makeCall()
      #expect(subject.scheduler.count == count)
    }
    #expect(subject.log.all == ["begin 1", "end 1", "begin 3", "end 3"])
  }

  @Test func `an event that arrives late or twice is dropped`() {
    let subject = Subject()
    for number in [1, 3, 2, 3, 4] {
      subject.subscriber.receive(number)
      subject.scheduler.makeCall()
    }
    let calls = [1, 3, 4].flatMap { ["begin \($0)", "end \($0)"] }
    #expect(subject.log.all == calls)
  }

  @Test func `a dropped event is released`() {
    let subject = Subject()
    weak let first = subject.subscriber.receive(1)
    #expect(first != nil)
    weak let second = subject.subscriber.receive(2)
    #expect(first == nil)
    #expect(second != nil)
    subject.subscriber.cancel()
    #expect(second == nil)
  }

  // MARK: The end

  @Test func `no call begins after a cancellation inside a call`() {
    let subject = Subject { subscriber, _, _ in
      subscriber.receive(2)
      subscriber.cancel()
      subscriber.receive(3)
    }
    subject.subscriber.receive(1)
    subject.scheduler.makeCall()
    subject.subscriber.receive(4)
    #expect(subject.scheduler.count == 0)
    #expect(subject.log.all == ["begin 1", "end 1"])
  }

  @Test func `a call that was asked for before a cancellation does nothing`() {
    let subject = Subject()
    subject.subscriber.receive(1)
    subject.flush("waiting")
    subject.subscriber.cancel()
    #expect(subject.log.all == ["flushed waiting"])
    subject.flush("late")
    subject.scheduler.makeCall()
    #expect(subject.log.all == ["flushed waiting", "flushed late"])
  }

  // MARK: Flushes

  @Test func `a flush waits for the calls with the events before it, and for no others`() {
    let subject = Subject { subscriber, log, number in
      guard number == 2 else { return }
      subscriber.receive(3)
      subscriber.flush { log.append("flushed 3") }
    }
    subject.flush("nothing")
    subject.subscriber.receive(1)
    subject.flush("1")
    // The event replaces the one that the flush waits for.
    subject.subscriber.receive(2)
    #expect(subject.log.all == ["flushed nothing"])
    subject.scheduler.makeCall()
    #expect(subject.log.all.dropFirst() == ["begin 2", "end 2", "flushed 1"])
    subject.scheduler.makeCall()
    #expect(subject.log.all.dropFirst(4) == ["begin 3", "end 3", "flushed 3"])
  }

  @Test func `a flush goes on to the subscribers behind the closure after the call`() {
    let log = LineLog()
    let scheduler = ManualScheduler()
    let subscriber = CallbackSubscriber(
      scheduler: scheduler,
      flushDownstream: { completion in
        log.append("downstream")
        completion()
      },
      handler: { _ in log.append("call") }
    )
    subscriber.flush { log.append("flushed") }
    #expect(log.all == ["downstream", "flushed"])
    subscriber.receive(1)
    subscriber.flush { log.append("flushed") }
    scheduler.makeCall()
    #expect(log.all.dropFirst(2) == ["call", "downstream", "flushed"])
  }

  // MARK: Threads and time

  private static let schedulers: [(any ValueObservationScheduler, Bool)] = [
    (SerialScheduler.async, true),
    (SerialScheduler.immediate, true),
    (DispatchQueueScheduler(queue: .global(), isImmediate: false), true),
    (TaskScheduler(priority: nil, executor: nil), false),
    (ManualScheduler(), false),
  ]

  @Test(arguments: schedulers)
  func `the broker may make the calls only for queues and threads of the library`(
    scheduler: any ValueObservationScheduler,
    mayBeCalled: Bool
  ) {
    let log = LineLog()
    let subscriber = CallbackSubscriber(
      scheduler: scheduler,
      handler: { log.append("\($0.sequence)") }
    )
    let moment = CallbackSubscriber.moment(1)
    let call: (any PendingCall)? = subscriber.receive(moment)
    #expect((call != nil) == mayBeCalled)
    if let call {
      #expect(log.all == [])
      call.make()
      #expect(log.all == ["1"])
    }
    let paced = CallbackSubscriber(scheduler: scheduler, interval: .zero, handler: { _ in })
    let pacedCall: (any PendingCall)? = paced.receive(moment)
    #expect(pacedCall == nil)
  }

  @Test(arguments: [(Duration.zero, 1), (.seconds(3600), 0)])
  func `the next call is asked for when the interval has passed`(interval: Duration, count: Int) {
    let subject = Subject(interval: interval)
    subject.subscriber.receive(1)
    #expect(subject.scheduler.count == 1)
    subject.scheduler.makeCall()
    subject.subscriber.receive(2)
    #expect(subject.scheduler.count == count)
    subject.flush("2")
    #expect(subject.log.all == ["begin 1", "end 1"])
    subject.subscriber.cancel()
    #expect(subject.log.all == ["begin 1", "end 1", "flushed 2"])
  }

  @Test func `the last event is not lost in the pause after a call`() async throws {
    let recorder = Recorder<UInt64>()
    let subscriber = CallbackSubscriber(
      scheduler: SerialScheduler.async,
      interval: .milliseconds(1),
      handler: { recorder.append($0.sequence) }
    )
    for last in [10, 20] {
      for number in last - 9...last { subscriber.receive(number) }
      _ = try await recorder.value { $0 == UInt64(last) }
    }
    subscriber.cancel()
  }

  // MARK: The first call

  @Test func `the first call is made at once, and later events wait for it`() {
    let subject = Subject()
    subject.subscriber.callFirst {
      subject.subscriber.receive(2)
      return CallbackSubscriber.moment(1)
    }
    #expect(subject.log.all == ["begin 1", "end 1"])
    #expect(subject.scheduler.count == 1)
    subject.scheduler.makeCall()
    #expect(subject.log.all.dropFirst(2) == ["begin 2", "end 2"])
    // The event of the first call may come a second time.
    let other = Subject()
    other.subscriber.callFirst { other.subscriber.receive(1) }
    #expect(other.log.all == ["begin 1", "end 1"])
    #expect(other.scheduler.count == 0)
    // Or there is no event yet.
    let waiting = Subject()
    waiting.subscriber.callFirst { nil }
    #expect(waiting.log.all == [])
    waiting.subscriber.receive(1)
    #expect(waiting.scheduler.count == 1)
  }

  @Test func `no first call begins after a cancellation`() {
    let subject = Subject()
    subject.subscriber.callFirst {
      subject.subscriber.cancel()
      return CallbackSubscriber.moment(1)
    }
    let other = Subject()
    other.subscriber.cancel()
    other.subscriber.callFirst { CallbackSubscriber.moment(1) }
    #expect(subject.log.all == [])
    #expect(other.log.all == [])
  }
}

extension CallbackSubscriber {
  /// Makes an event that has a number as its sequence number and as its value.
  fileprivate static func moment(_ number: Int) -> AnyObservedMoment {
    ObservedMoment(
      sequence: UInt64(number),
      Numbered(number: UInt64(number), value: number)
    )
  }

  /// Receives such an event, and returns it.
  @discardableResult
  fileprivate func receive(_ number: Int) -> AnyObservedMoment {
    let moment = Self.moment(number)
    _ = receive(moment)
    return moment
  }
}
