import Sharing
import Testing
import TestSupport
import WellspringSystem

@Suite(.patient) struct SharedReaderKeyTests {
  @Test func `A-121: a key that answers immediately has its value when the reader is created`() {
    @SharedReader(ManualKey(answer: 7)) var value = 0
    #expect(value == 7)
    #expect(!$value.isLoading)
  }

  @Test func `A-116: until the key answers, the default is shown and the reader is loading`()
    async throws
  {
    let key = ManualKey()
    @SharedReader(key) var value = 1
    #expect(value == 1)
    #expect($value.isLoading)
    key.takeContinuation()?.resume(returning: 2)
    #expect(value == 2)
    #expect(!$value.isLoading)
  }

  @Test func `the reader of a key without a value shows its default`() {
    let key = ManualKey()
    @SharedReader(key) var value = 1
    key.takeContinuation()?.resumeReturningInitialValue()
    #expect(value == 1)
    #expect(!$value.isLoading)
    #expect($value.loadError == nil)
  }

  @Test func `A-122: only the first load has the default in its context`()
    async throws
  {
    let key = ManualKey(answer: 7)
    @SharedReader(key) var value = 3
    try await $value.load()
    let contexts = key.state.withLock { $0.contexts.map(\.initialValue) }
    #expect(contexts == [3, nil])
  }

  @Test func `values of the subscription are shown, and an error keeps the last value`()
    async throws
  {
    struct Broken: Error {}
    let key = ManualKey(answer: 1)
    @SharedReader(key) var value = 0
    key.subscriber.yield(2)
    #expect(value == 2)
    key.subscriber.yield(throwing: Broken())
    #expect(value == 2)
    #expect($value.loadError is Broken)
    key.subscriber.yield(3)
    #expect(value == 3)
    #expect($value.loadError == nil)
    key.subscriber.yieldReturningInitialValue()
    #expect(value == 0)
    key.subscriber.yieldLoading()
    #expect($value.isLoading)
    key.subscriber.yieldLoading(false)
    #expect(!$value.isLoading)
  }

  @Test func `a value that the subscription delivers during a load is newer`() async throws {
    let key = ManualKey()
    @SharedReader(key) var value = 0
    key.subscriber.yield(2)
    key.takeContinuation()?.resume(returning: 1)
    #expect(value == 2)
    #expect(!$value.isLoading)
  }

  @Test func `the subscription ends with the last reader`() {
    let key = ManualKey(answer: 1)
    var reader: SharedReader<Int>? = SharedReader(wrappedValue: 0, key)
    var copy = reader
    let other = SharedReader(wrappedValue: 9, key)
    #expect(key.state.withLock { $0.subscribers.count } == 1)
    reader = nil
    copy = nil
    #expect(key.state.withLock { $0.cancellations } == 0)
    #expect(reader == nil && copy == nil && other.wrappedValue == 1)
    _ = consume other
    #expect(key.state.withLock { $0.cancellations } == 1)
  }

  /// A key whose methods use readers, of another key and of itself, also when the subscription
  /// ends.
  struct EntangledKey: SharedReaderKey, Hashable {
    let other: ManualKey

    static func == (left: Self, right: Self) -> Bool {
      _ = SharedReader(wrappedValue: 0, left.other).wrappedValue
      return left.other === right.other
    }
    func hash(into hasher: inout Hasher) {
      _ = SharedReader(wrappedValue: 0, other).wrappedValue
      hasher.combine(ObjectIdentifier(other))
    }
    func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
      _ = SharedReader(wrappedValue: 0, self).wrappedValue
      continuation.resume(returning: SharedReader(wrappedValue: 0, other).wrappedValue)
    }
    func subscribe(
      context: LoadContext<Int>,
      subscriber: SharedSubscriber<Int>
    ) -> SharedSubscription {
      _ = SharedReader(wrappedValue: 0, self).wrappedValue
      let other = other
      return SharedSubscription { _ = SharedReader(wrappedValue: 0, other).wrappedValue }
    }
  }

  @Test func `the code of a key runs outside locks, so it may use readers`() {
    let other = ManualKey(answer: 5)
    do {
      let first = SharedReader(wrappedValue: 0, EntangledKey(other: other))
      let second = SharedReader(wrappedValue: 0, EntangledKey(other: other))
      #expect(first.wrappedValue == 5)
      #expect(second.wrappedValue == 5)
    }
    #expect(other.state.withLock { $0.subscribers.count == $0.cancellations })
  }
}
