internal import Dispatch
internal import Observation
internal import WellspringPlatform

/// The value of a key, shared by all readers with that key. It is subscribed to for as long as there
/// is a reader or a loop.
final class SharedReference<Value: Sendable>: Sendable, Observable {
  private struct State {
    var current: VersionedValue<Value>
    var loadError: (any Error)?
    var isFinished = false
    var nextListener: UInt64 = 0
    var listeners: [UInt64: AsyncStream<Value>.Continuation] = [:]
  }

  private enum Start {
    case new
    case running(thread: UInt)
    case done(SharedReaderSubscription?)
  }

  private let key: (any SharedReaderKey<Value>)?
  // Guards the value, the error and the listeners.
  private let state: Lock<State>
  // Guards who subscribes. The others wait for the first value.
  private let start = Lock(Start.new)
  private let started = DispatchGroup()
  private let registrar = ObservationRegistrar()

  init(initialValue: Value, key: (any SharedReaderKey<Value>)?) {
    self.key = key
    state = Lock(State(current: VersionedValue(version: 0, value: initialValue)))
  }

  // MARK: Reading

  var value: Value {
    registrar.access(self, keyPath: \.value)
    return state.withLock { $0.current.value }
  }

  var loadError: (any Error)? {
    registrar.access(self, keyPath: \.loadError)
    return state.withLock { $0.loadError }
  }

  /// A stream of the current value and those that follow; the newest one wins.
  func values() -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Value.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    let (id, isFinished) = state.withLock { state in
      defer { state.nextListener += 1 }
      if !state.isFinished { state.listeners[state.nextListener] = continuation }
      // Under the lock, so that no newer value comes before it.
      continuation.yield(state.current.value)
      return (state.nextListener, state.isFinished)
    }
    if isFinished { continuation.finish() }
    // The stream keeps the reference, and so the subscription, until it ends.
    continuation.onTermination = { _ in self.removeListener(id) }
    return stream
  }

  private func removeListener(_ id: UInt64) {
    let removed = state.withLock { $0.listeners.removeValue(forKey: id) }
    withExtendedLifetime(removed) {}
  }

  // MARK: Loading

  /// Subscribes to the key, unless that has been done. When this returns, the first value or error is
  /// there, if it can be had at once.
  func startIfNeeded() {
    guard let key else { return }
    let thread = CurrentThread.id
    let mustStart = start.withLock { start -> Bool? in
      switch start {
      case .new:
        started.enter()
        start = .running(thread: thread)
        return true
      case .running(let other):
        // The fetch of this key asks for this key, or the caller is in an access to a database, which
        // the first value may wait for: it sees the default.
        return other == thread || ThreadScope.blocking.isActive ? nil : false
      case .done:
        return nil
      }
    }
    switch mustStart {
    case true?:
      let subscription = key.subscribe(
        SharedReaderSubscriber(
          didReceive: { [weak self] in self?.receive($0) },
          didFail: { [weak self] in self?.fail($0) },
          didFinish: { [weak self] in self?.finish($0) }
        )
      )
      start.withLock { $0 = .done(subscription) }
      started.leave()
    case false?:
      started.wait()
    case nil:
      break
    }
  }

  /// Fetches the value anew.
  func load() async throws {
    guard let key else { return }
    do {
      receive(try await key.load(), isNewer: { $0 > $1 })
    } catch {
      if !(error is CancellationError) { fail(error) }
      throw error
    }
  }

  /// Replaces the value by a newer one. Versions of a key's subscription come in order; equal ones are
  /// told apart by nothing else.
  private func receive(
    _ value: VersionedValue<Value>,
    isNewer: (UInt64, UInt64) -> Bool = { $0 >= $1 }
  ) {
    registrar.withMutation(of: self, keyPath: \.value) {
      registrar.withMutation(of: self, keyPath: \.loadError) {
        // What is replaced is released outside of the lock.
        let old = state.withLock { state -> (VersionedValue<Value>, (any Error)?) in
          let old = (state.current, state.loadError)
          state.loadError = nil
          guard isNewer(value.version, state.current.version) else { return old }
          state.current = value
          for listener in state.listeners.values { listener.yield(value.value) }
          return old
        }
        withExtendedLifetime(old) {}
      }
    }
  }

  private func fail(_ error: any Error) {
    registrar.withMutation(of: self, keyPath: \.loadError) {
      let old = state.withLock { state in
        defer { state.loadError = error }
        return state.loadError
      }
      withExtendedLifetime(old) {}
    }
  }

  private func finish(_ error: any Error) {
    fail(error)
    let listeners = state.withLock { state in
      state.isFinished = true
      defer { state.listeners.removeAll() }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }
}
