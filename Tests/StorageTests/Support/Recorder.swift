import Storage
import Testing
import TestSupport

/// Records the values and errors that an observation delivers, so that tests can wait for them.
final class Recorder<Value: Sendable>: Sendable {
  enum Event: Sendable {
    case value(Value)
    case error(any Error)
  }

  struct TimedOut: Error {}

  private let stream: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream(of: Event.self)
  }

  func append(_ value: Value) { continuation.yield(.value(value)) }
  func append(error: any Error) { continuation.yield(.error(error)) }

  /// Waits for the next event and returns it. The time limit only ends a test that has failed.
  func next() async throws -> Event {
    try await withThrowingTaskGroup(of: Event?.self) { group in
      group.addTask { [stream] in
        var iterator = stream.makeAsyncIterator()
        return await iterator.next()
      }
      group.addTask {
        try await Task.sleep(for: Patience.limit)
        return nil
      }
      defer { group.cancelAll() }
      guard let event = try await group.next() ?? nil else { throw TimedOut() }
      return event
    }
  }

  /// Waits for the next event, which must be a value, and returns the value.
  func nextValue() async throws -> Value {
    switch try await next() {
    case .value(let value): return value
    case .error(let error): throw error
    }
  }

  /// Waits for the next event, which must be an error, and returns the error.
  func nextError() async throws -> any Error {
    switch try await next() {
    case .value(let value):
      Issue.record("expected an error, got \(value)")
      throw TimedOut()
    case .error(let error): return error
    }
  }

  /// Discards events until a value meets the condition, and returns that value.
  func value(where condition: (Value) -> Bool) async throws -> Value {
    while true {
      if case .value(let value) = try await next(), condition(value) { return value }
    }
  }
}

extension ValueObservation {
  /// Starts the observation, and records the values and errors that it delivers.
  func record(
    in reader: some DatabaseReader,
    scheduling scheduler: some ValueObservationScheduler = .async
  ) -> (recorder: Recorder<Value>, cancellable: AnyDatabaseCancellable) {
    let recorder = Recorder<Value>()
    let cancellable = start(
      in: reader,
      scheduling: scheduler,
      onError: { recorder.append(error: $0) },
      onChange: { recorder.append($0) }
    )
    return (recorder, cancellable)
  }
}
