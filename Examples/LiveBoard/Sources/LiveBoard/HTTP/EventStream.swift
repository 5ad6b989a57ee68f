import Synchronization

/// The events that one client has yet to receive.
///
/// The buffer is bounded: it takes an event if it is empty or the event fits. A connection that
/// has nothing to send is suspended, so it costs neither a thread nor processor time.
public final class EventStream: Sendable {
  /// What happened to an event that was to be sent.
  public enum Outcome: Equatable, Sendable {
    /// The client will receive it.
    case accepted
    /// The client is slow, and its buffer is full. It will not receive the event.
    case isBehind
    /// There is no client, or the server ends.
    case isClosed
  }

  /// What the connection finds when it asks for bytes.
  enum Chunk: Equatable {
    case bytes(Int)
    case nothing
    case end
  }

  private struct State {
    var pending: [UInt8] = []
    /// How many of the pending bytes the connection has taken.
    var taken = 0
    /// Resumes the connection. It is set while the connection is suspended.
    var resume: (@Sendable () -> Void)?
    var isEnded = false
    var isClosed = false
    var waiter: CheckedContinuation<Void, Never>?
    var onClose: (@Sendable () -> Void)?
  }

  private let limit: Int
  private let state = Mutex(State())

  /// Creates a stream.
  ///
  /// - Parameter limit: How many bytes may wait for the client. A longer event waits alone.
  public init(limit: Int = 64 * 1024) {
    self.limit = limit
  }

  /// Sends an event, unless the client is behind or gone.
  public func send(_ event: [UInt8]) -> Outcome {
    let (outcome, resume) = state.withLock { state -> (Outcome, (@Sendable () -> Void)?) in
      if state.isEnded || state.isClosed { return (.isClosed, nil) }
      let waiting = state.pending.count - state.taken
      if waiting > 0, waiting + event.count > limit { return (.isBehind, nil) }
      state.pending.append(contentsOf: event)
      return (.accepted, state.resume.take())
    }
    resume?()
    return outcome
  }

  /// Sends a comment, so that a connection whose client is gone fails.
  func sendHeartbeat() {
    let isIdle = state.withLock { $0.pending.isEmpty }
    if isIdle { _ = send(Array(":\n\n".utf8)) }
  }

  /// Waits until the client has received all events, or is gone.
  public func waitUntilSent() async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        if state.pending.isEmpty || state.isEnded || state.isClosed { return true }
        precondition(state.waiter == nil, "One task feeds a stream.")
        state.waiter = continuation
        return false
      }
      if isDone { continuation.resume() }
    }
  }

  /// Ends the stream in order: the client receives what is pending, and then the end.
  public func end() {
    let (waiter, resume) = state.withLock { state in
      state.isEnded = true
      return (state.waiter.take(), state.resume.take())
    }
    waiter?.resume()
    resume?()
  }

  /// Calls a closure when the connection is closed.
  public func onClose(_ body: @escaping @Sendable () -> Void) {
    let isClosed = state.withLock { state in
      if !state.isClosed { state.onClose = body }
      return state.isClosed
    }
    if isClosed { body() }
  }

  /// Whether no event can be sent any more.
  public var isClosed: Bool { state.withLock { $0.isClosed || $0.isEnded } }

  // MARK: - The connection

  /// Copies pending bytes. If there are none, calls `suspend`, within the lock, and keeps `resume`
  /// for the next event.
  func read(
    into buffer: UnsafeMutableRawBufferPointer,
    suspend: () -> Void,
    resume: @escaping @Sendable () -> Void
  ) -> Chunk {
    let (chunk, waiter) = state.withLock { state -> (Chunk, CheckedContinuation<Void, Never>?) in
      let count = min(buffer.count, state.pending.count - state.taken)
      guard count > 0 else {
        if state.isEnded { return (.end, nil) }
        suspend()
        state.resume = resume
        return (.nothing, nil)
      }
      state.pending.withUnsafeBytes { bytes in
        buffer.copyMemory(
          from: UnsafeRawBufferPointer(rebasing: bytes[state.taken...].prefix(count))
        )
      }
      state.taken += count
      guard state.taken == state.pending.count else { return (.bytes(count), nil) }
      // An idle connection keeps no buffer.
      state.pending = []
      state.taken = 0
      return (.bytes(count), state.waiter.take())
    }
    waiter?.resume()
    return chunk
  }

  /// The connection is closed.
  func close() {
    let (waiter, body) = state.withLock { state in
      state.isClosed = true
      state.pending = []
      state.taken = 0
      state.resume = nil
      return (state.waiter.take(), state.onClose.take())
    }
    waiter?.resume()
    body?()
  }
}
