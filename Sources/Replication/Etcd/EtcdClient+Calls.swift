internal import Foundation
internal import WellspringSystem

/// The outcome of a call.
enum EtcdResult<Answer> {
  case answer(Answer)
  /// There was no answer in time, and a request may have arrived.
  case unknown(String)
}

extension EtcdClient {
  /// Calls etcd until an endpoint answers, or the time of a call is over.
  ///
  /// The request may be sent several times, so it must have its effect once only. An answer that
  /// comes slowly may take longer than the time of a call, since the next one would be as slow.
  ///
  /// - Parameters:
  ///   - path: The path of the call.
  ///   - body: The request.
  ///   - type: The type of the answer.
  ///   - limit: The largest size of an entry, for the error.
  ///   - bytes: The size of the entry, for the error.
  ///   - hasEffect: Whether it matters if a request arrived whose answer makes no sense.
  /// - Returns: The answer, or that there was none and that a request may have arrived.
  /// - Throws: ``ReplicationLogError`` if the call certainly had no effect.
  func call<Answer: Decodable>(
    _ path: String,
    _ body: String,
    as type: Answer.Type,
    limit: Int = 0,
    bytes: Int = 0,
    hasEffect: Bool = false
  ) throws(ReplicationLogError) -> EtcdResult<Answer> {
    let connection = try lend()
    defer { takeBack(connection) }
    let quiet = timeouts.attemptLimit(call: callLimit, endpoints: givenCount)
    let callLimit = callLimit.nanoseconds
    let deadline = MonotonicClock.now + callLimit
    // Who waits for an effect has to know in time whether there was one.
    let lastEnd = hasEffect ? deadline : deadline + 20 * callLimit
    var progress = EtcdCallProgress()
    while true {
      let endpoint = preferred
      let attempt: EtcdAttempt<Answer> = attempt(
        Call(path: path, body: body, limit: limit, bytes: bytes, hasEffect: hasEffect),
        connection,
        endpoint: endpoint,
        quiet: quiet,
        tokenEnd: min(deadline, MonotonicClock.now + quiet.nanoseconds),
        end: lastEnd
      )
      if attempt.leavesEndpoint { leave(endpoint) }
      if let result = try progress.note(attempt, of: endpoints.count) { return result }
      let isLed =
        progress.silences > 1 && endpoints.count > 1 && preferNewLeader(connection, until: deadline)
      if !isLed, progress.attempts.isMultiple(of: endpoints.count) {
        pause(connection, attempt: progress.attempts / endpoints.count, until: deadline)
      }
      if MonotonicClock.now >= deadline { return try progress.end() }
    }
  }

  /// A call, as ``call(_:_:as:limit:bytes:hasEffect:)`` gets it.
  private struct Call {
    let path: String
    let body: String
    let limit: Int
    let bytes: Int
    let hasEffect: Bool
  }

  /// Calls an endpoint once.
  ///
  /// - Parameters:
  ///   - call: The call.
  ///   - connection: The connection.
  ///   - endpoint: The index of the endpoint.
  ///   - quiet: How long no byte may move.
  ///   - tokenEnd: The deadline of a request for a token.
  ///   - end: The deadline of the request.
  /// - Returns: The outcome.
  private func attempt<Answer: Decodable>(
    _ call: Call,
    _ connection: HTTPConnection,
    endpoint: Int,
    quiet: Duration,
    tokenEnd: UInt64,
    end: UInt64
  ) -> EtcdAttempt<Answer> {
    let name = endpoints[endpoint]
    let token: String?
    do {
      token = try self.token(connection, endpoint: endpoint, until: tokenEnd)
    } catch let error as ReplicationLogError {
      return .hopeless(error)
    } catch let failure as HTTPFailure {
      return EtcdAttempt(failure, name, wasSent: false)
    } catch {
      return .hopeless(.unexpected("\(error)"))
    }
    let answer: HTTPAnswer
    do throws(HTTPFailure) {
      let request = request(call.path, call.body, endpoint: endpoint, token: token)
      answer = try connection.send(request, quiet: quiet, until: end) { isClosed }
    } catch {
      return EtcdAttempt(error, name, wasSent: true)
    }
    if answer.status == 200 {
      guard let value = try? JSONDecoder().decode(Answer.self, from: Data(answer.body)) else {
        let text = "\(name) does not answer as etcd does. Check the endpoint."
        return .hopeless(.unexpected(text), mayHaveArrived: call.hasEffect)
      }
      return .answered(value)
    }
    let (status, body) = (answer.status, answer.body)
    switch EtcdVerdict(status: status, body: body, limit: call.limit, bytes: call.bytes) {
    case .newToken where credentials == nil:
      return .hopeless(.authentication("etcd wants a user. Pass its credentials."))
    case .newToken:
      forgetToken(token)
      return .failed(
        "\(name): it does not accept its own token.",
        .init(mayHaveArrived: false, leavesEndpoint: false)
      )
    case .compacted: return .hopeless(.unexpected("etcd has no history for \(call.path)."))
    case .never(let error): return .hopeless(error)
    // A proxy that stopped waiting says nothing about the request.
    case .foreign(let error): return .hopeless(error, mayHaveArrived: call.hasEffect)
    case .again(let text): return .failed("\(name): \(text).", .init(mayHaveArrived: true))
    }
  }

  /// Calls etcd with a request that changes nothing, or the same thing each time.
  func answer<Answer: Decodable>(
    _ path: String,
    _ body: String,
    as type: Answer.Type
  ) throws(ReplicationLogError) -> Answer {
    switch try call(path, body, as: type) {
    case .answer(let answer): return answer
    case .unknown(let reason): throw isClosed ? .closed : .unavailable(reason)
    }
  }

  /// Waits between two rounds of attempts: 20 ms, 40 ms, and so on, up to 320 ms.
  private func pause(_ connection: HTTPConnection, attempt: Int, until deadline: UInt64) {
    let end = min(deadline, MonotonicClock.now + 10_000_000 << UInt64(min(attempt, 5)))
    while MonotonicClock.now < end, !isClosed { connection.wait(until: end) }
  }
}
