internal import Foundation
internal import WellspringSystem

/// What became of a call.
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
    var mayHaveArrived = false
    var refusal: String?
    var reason = "No answer."
    var attempts = 0
    var silences = 0
    while true {
      let endpoint = preferred
      let name = endpoints[endpoint]
      let end = min(deadline, MonotonicClock.now + quiet.nanoseconds)
      attempts += 1
      do {
        let token = try token(connection, endpoint: endpoint, until: end)
        let request = request(path, body, endpoint: endpoint, token: token)
        let answer: HTTPAnswer
        do throws(HTTPFailure) {
          answer = try connection.send(request, quiet: quiet, until: lastEnd) { isClosed }
        } catch {
          switch error {
          // Closing the log does not call a request back that is under way.
          case .broken, .closed: mayHaveArrived = true
          case .silent:
            mayHaveArrived = true
            silences += 1
          case .notSent, .refused: break
          }
          throw error
        }
        if answer.status == 200 {
          guard let value = try? JSONDecoder().decode(type, from: Data(answer.body)) else {
            if hasEffect { mayHaveArrived = true }
            throw ReplicationLogError.unexpected(
              "\(name) does not answer as etcd does. Check the endpoint."
            )
          }
          return .answer(value)
        }
        switch EtcdVerdict(status: answer.status, body: answer.body, limit: limit, bytes: bytes) {
        case .newToken where credentials == nil:
          throw ReplicationLogError.authentication("etcd wants a user. Pass its credentials.")
        case .newToken:
          forgetToken(token)
          reason = "\(name): it does not accept its own token."
        case .compacted:
          throw ReplicationLogError.unexpected("etcd has no history for \(path).")
        case .never(let error):
          throw error
        case .foreign(let error):
          // A proxy that gave up waiting says nothing about the request.
          if hasEffect { mayHaveArrived = true }
          throw error
        case .again(let text):
          mayHaveArrived = true
          reason = "\(name): \(text)."
          leave(endpoint)
        }
      } catch let error as ReplicationLogError {
        // An earlier attempt may have had its effect: this refusal says nothing about it.
        if mayHaveArrived { return .unknown(error.description) }
        throw error
      } catch HTTPFailure.closed {
        if mayHaveArrived { return .unknown("the log was closed.") }
        throw .closed
      } catch HTTPFailure.refused(let text) {
        refusal = "\(name): \(text). Check the certificates and their authority."
        leave(endpoint)
      } catch HTTPFailure.notSent(let text), HTTPFailure.broken(let text),
        HTTPFailure.silent(let text)
      {
        reason = "\(name): \(text). Check the endpoint, and that etcd runs."
        leave(endpoint)
      } catch {
        throw .unexpected("\(error)")
      }
      // A wrong certificate does not get better, but another endpoint may have a right one.
      if let refusal, !mayHaveArrived, attempts >= endpoints.count {
        throw .authentication(refusal)
      }
      let isLed =
        silences > 1 && endpoints.count > 1 && preferNewLeader(connection, until: deadline)
      if !isLed, attempts.isMultiple(of: endpoints.count) {
        pause(connection, attempt: attempts / endpoints.count, until: deadline)
      }
      if MonotonicClock.now >= deadline {
        if mayHaveArrived { return .unknown(reason) }
        throw .unavailable(reason)
      }
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
