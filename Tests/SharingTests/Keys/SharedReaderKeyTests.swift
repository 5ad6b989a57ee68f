import Sharing
import Testing
import WellspringPlatform

@Suite(.timeLimit(.minutes(1))) struct SharedReaderKeyTests {
  @Test("A-121: a key that answers at once has its value when the reader is made")
  func answersAtOnce() {
    @SharedReader(ManualKey(answer: 7)) var value = 0
    #expect(value == 7)
    #expect(!$value.isLoading)
  }

  @Test("A-116: until the key answers, the default is shown and the reader is loading")
  func answersLater() async throws {
    let key = ManualKey()
    @SharedReader(key) var value = 1
    #expect(value == 1)
    #expect($value.isLoading)
    key.takeContinuation()?.resume(returning: 2)
    #expect(value == 2)
    #expect(!$value.isLoading)
  }

  @Test func `a key without a value lets the reader show its default`() {
    let key = ManualKey()
    @SharedReader(key) var value = 1
    key.takeContinuation()?.resumeReturningInitialValue()
    #expect(value == 1)
    #expect(!$value.isLoading)
    #expect($value.loadError == nil)
  }

  @Test("A-122: the first value is loaded with the default in the context, others on demand")
  func contexts() async throws {
    let key = ManualKey(answer: 7)
    @SharedReader(key) var value = 3
    try await $value.load()
    let contexts = key.state.withLock { $0.contexts.map(\.initialValue) }
    #expect(contexts == [3, nil])
  }

  @Test func `what the subscription tells is shown, and its errors are kept beside it`()
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

  @Test func `what the subscription tells while a value is loaded is newer`() async throws {
    let key = ManualKey()
    @SharedReader(key) var value = 0
    key.subscriber.yield(2)
    key.takeContinuation()?.resume(returning: 1)
    #expect(value == 2)
    #expect(!$value.isLoading)
  }

  @Test("A-129: a leaked continuation is an error that names its key")
  func leakedContinuation() async throws {
    let key = ManualKey()
    @SharedReader(key) var value = 1
    key.state.withLock { $0.continuations.removeAll() }
    #expect(value == 1)
    #expect($value.loadError as? LeakedContinuation == LeakedContinuation(key: "ManualKey"))
    #expect("\($value.loadError!)".contains("ManualKey has released its continuation"))

    let load = Task { [reader = $value] in try await reader.load() }
    _ = try await key.nextContinuation()
    await #expect(throws: LeakedContinuation.self) { try await load.value }
  }

  @Test("A-129: resuming a continuation twice stops debug builds")
  func resumedTwice() async {
    await #expect(processExitsWith: .failure) {
      let continuation = LoadContinuation<Int>("a key") { _ in }
      continuation.resume(returning: 1)
      continuation.resume(returning: 2)
    }
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

  @Test func `a subscriber of a test gets what a key tells`() {
    struct Broken: Error {}
    nonisolated(unsafe) var told: [String] = []
    let subscriber = SharedSubscriber<Int> { result in
      switch result {
      case .success(let value): told.append(value.map { "\($0)" } ?? "initial")
      case .failure: told.append("error")
      }
    } onLoading: {
      told.append("loading \($0)")
    }
    subscriber.yield(1)
    subscriber.yieldReturningInitialValue()
    subscriber.yield(throwing: Broken())
    subscriber.yieldLoading()
    #expect(told == ["1", "initial", "error", "loading true"])
  }

  /// A key whose `hash`, `load`, `subscribe` and end use readers of other keys, and of itself.
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

  @Test func `no code of a key runs under a lock: it may use readers`() {
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
