internal import Foundation
internal import Storage

/// Writes from any node: on the primary at once, and on another node by a request to the primary.
///
///     let forwarder = WriteForwarder(node) { address, request in
///       try await client.post("https://\(address)/writes", body: request)
///     }
///     let saleID = try await forwarder.write(Sell(itemID: 1))
///
/// The service sends the request by its own RPC, and hands it to the ``WriteReceiver`` of the other
/// node. The address is the ``ReplicationOptions/address`` of the primary.
///
/// Each write has a ``WriteID`` that is stored in its transaction. When no node is the primary, an
/// answer is lost or the primary changes, the forwarder retries with the same id. So a write that
/// returns is made exactly once, and a write that throws is made at most once.
///
/// Concurrent calls on the primary share an entry of the log. A forwarder that waits for an answer
/// blocks no thread. It is a value that any threads may use at the same time.
public struct WriteForwarder: Sendable {
  /// Sends a request to the node with an address, and returns the bytes of its answer.
  ///
  /// It may throw any error: the forwarder then does not know whether the request has arrived. If
  /// the request certainly was not sent, throw ``ForwardingError/notWritten(_:)``. Send a request
  /// once, because the forwarder repeats it: a copy that arrives after a refusal may be written.
  /// The task is cancelled when the forwarder no longer waits.
  public typealias Send =
    @Sendable (_ address: String, _ request: [UInt8]) async throws -> [UInt8]

  private let node: ReplicatedDatabase
  private let attemptTimeout: Duration
  private let send: Send

  /// Makes a forwarder.
  ///
  /// - Parameters:
  ///   - node: The node of the callers.
  ///   - attemptTimeout: How long one attempt waits for its answer. The next one begins then.
  ///   - send: Sends a request.
  public init(
    _ node: ReplicatedDatabase,
    attemptTimeout: Duration = .seconds(5),
    send: @escaping Send
  ) {
    self.node = node
    self.attemptTimeout = attemptTimeout
    self.send = send
  }

  /// Writes on the primary, and returns when the node of the caller contains the write.
  ///
  ///     let sell = Sell(itemID: 1)
  ///     let saleID = try await forwarder.write(sell, timeout: .seconds(10))
  ///     let sale = try await node.read { db in try Sale.fetchOne(db, id: saleID) }
  ///
  /// A read on this node after it shows the write. A cancellation ends the attempts, and leaves
  /// open whether the write is made.
  ///
  /// - Parameters:
  ///   - write: The write.
  ///   - id: An id, if the same write may come again in another call: that one has the result of
  ///     the first, output or refusal, for ``ReplicationOptions/keptRequestTime``. Do not use it
  ///     for another write. The default is a random id.
  ///   - timeout: How long to try, and to wait.
  /// - Returns: The output.
  /// - Throws: ``ForwardedWriteError`` if the write was refused, ``ForwardingError`` if no primary
  ///   was reached in time, `CancellationError`, `EncodingError`, or `DecodingError` if the write
  ///   is made and its output cannot be read here.
  public func write<Write: ForwardableWrite>(
    _ write: Write,
    id: WriteID? = nil,
    timeout: Duration = .seconds(30)
  ) async throws -> Write.Output {
    let deadline = ContinuousClock.now + timeout
    let (output, token) = try await writeReturningToken(write, id: id, timeout: timeout)
    do {
      try await node.wait(until: token, timeout: max(.zero, deadline - .now))
    } catch let error as ReplicationError {
      throw ForwardingError.notShown(token, because: error)
    }
    return output
  }

  /// Writes on the primary, and returns when the log has the write.
  ///
  /// The node of the caller may not show it yet: hand the token to
  /// ``ReplicatedDatabase/wait(until:timeout:)``, there or on another node.
  ///
  /// - Parameters:
  ///   - write: The write.
  ///   - id: An id: see ``write(_:id:timeout:)``.
  ///   - timeout: How long to try.
  /// - Returns: The output, and a token that contains the write.
  /// - Throws: The errors of ``write(_:id:timeout:)``, but never
  ///   ``ForwardingError/notShown(_:because:)``.
  public func writeReturningToken<Write: ForwardableWrite>(
    _ write: Write,
    id: WriteID? = nil,
    timeout: Duration = .seconds(30)
  ) async throws -> (output: Write.Output, token: WriteToken) {
    let body = try JSONEncoder().encode(write)
    precondition(
      Write.name.utf8.count <= WriteRequest.longestName,
      "The name \(Write.name) of a forwarded write is too long."
    )
    let request = WriteRequest(
      id: id ?? WriteID(),
      begun: node.lastToken,
      isRetry: id != nil,
      name: Write.name,
      body: Array(body)
    )
    let (result, token) = try await self.result(of: request, timeout, write.encodedOutput)
    switch result {
    case .refusal(let error): throw error
    case .output(let bytes):
      return (try JSONDecoder().decode(Write.Output.self, from: Data(bytes)), token)
    }
  }

  // MARK: Attempts

  /// Tries until the write has ended, or the time is over.
  private func result(
    of request: WriteRequest,
    _ timeout: Duration,
    _ write: @escaping @Sendable (Database) throws -> [UInt8]
  ) async throws -> (WriteResult, WriteToken) {
    var request = request
    let deadline = ContinuousClock.now + timeout
    var pauses = RetryPauses()
    while true {
      let primary = KnownPrimary(node.status)
      let end = min(deadline, .now + attemptTimeout)
      let answer = await Self.bounded(until: end) { [request] in
        await attempt(request, primary, write)
      }
      try Task.checkCancellation()
      let reason: String
      switch answer ?? .unknown("there was no answer in time.") {
      case .ended(let result, let token): return (result, token)
      case .notAccepted(let text):
        throw request.isRetry ? ForwardingError.outcomeUnknown(text) : .notAccepted(text)
      case .notWritten(let text): reason = text
      case .unknown(let text):
        reason = text
        request.isRetry = true
      }
      var pause = pauses.next()
      // An attempt with hardly any time would leave its outcome open.
      if deadline - .now < pause * 2 { pause = deadline - .now }
      let isNew = await Self.bounded(until: .now + pause) {
        await waitForPrimary(otherThan: primary)
      }
      if isNew ?? false { pauses = RetryPauses() }
      try Task.checkCancellation()
      guard ContinuousClock.now < deadline, !node.node.isClosed else {
        throw request.isRetry ? ForwardingError.outcomeUnknown(reason) : .notWritten(reason)
      }
    }
  }

  private func attempt(
    _ request: WriteRequest,
    _ primary: KnownPrimary,
    _ write: @escaping @Sendable (Database) throws -> [UInt8]
  ) async -> WriteAnswer {
    let address: String
    switch primary.place {
    case .here: return await node.answer(request, write)
    case .unknown: return .notWritten("this node knows no primary.")
    case .at(""): return .notWritten("the primary has no address: set ReplicationOptions.address.")
    case .at(let text): address = text
    }
    let bytes = request.encoded()
    let limit = node.node.options.largestRequest
    guard bytes.count <= limit else {
      return .notAccepted("it has \(bytes.count) bytes, and may have \(limit).")
    }
    do {
      return try WriteAnswer(decoding: try await send(address, bytes))
    } catch ForwardingError.notWritten(let reason) {
      return .notWritten(reason)
    } catch {
      return .unknown("\(error)")
    }
  }

  /// Waits until the node knows a primary that was not tried.
  ///
  /// - Returns: Whether it does. Otherwise the node was closed.
  private func waitForPrimary(otherThan tried: KnownPrimary) async -> Bool {
    for await status in node.statusUpdates {
      let primary = KnownPrimary(status)
      if primary != tried, primary.place != .unknown { return true }
    }
    return false
  }
}

/// The primary, as far as a node knows it.
private struct KnownPrimary: Equatable {
  enum Place: Equatable {
    case here
    case at(String)
    case unknown
  }

  let place: Place
  let epoch: Int64

  init(_ status: ReplicationStatus) {
    place =
      status.role == .primary ? .here : status.primaryAddress.map(Place.at) ?? .unknown
    epoch = status.epoch
  }
}

/// Pauses between attempts, which grow up to half a second. A random part keeps nodes from trying
/// at the same moment.
private struct RetryPauses {
  private var longest = Duration.milliseconds(10)

  mutating func next() -> Duration {
    defer { longest = min(longest * 2, .milliseconds(500)) }
    return longest * Double.random(in: 0.5...1)
  }
}
