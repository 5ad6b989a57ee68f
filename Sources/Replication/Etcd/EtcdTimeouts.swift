/// How long etcd may take.
public struct EtcdTimeouts: Hashable, Sendable {
  /// The time for making a connection.
  public var connect: Duration

  /// How long no byte may come from an endpoint or go there. Then the next endpoint is asked.
  ///
  /// With several endpoints, it is shorter where that is needed to ask each one in the time of a
  /// ``call``, and the first one twice, but not shorter than a second.
  public var attempt: Duration

  /// The time for a call, with all its attempts. A read whose answer comes slowly may take longer.
  ///
  /// A node shortens it to four fifths of ``ReplicationOptions/electionTimeout``: a primary that
  /// has no answer for longer may have a successor.
  public var call: Duration

  /// How long a reader waits for new entries before it asks whether there are any.
  public var silence: Duration

  /// Makes a value of its parts.
  public init(
    connect: Duration = .seconds(2),
    attempt: Duration = .seconds(2),
    call: Duration = .seconds(4),
    silence: Duration = .seconds(2)
  ) {
    self.connect = connect
    self.attempt = attempt
    self.call = call
    self.silence = silence
  }

  /// How long an endpoint may be silent before the next one is asked.
  ///
  /// When the leader of three members is cut off, each of them may be silent at first: the leader,
  /// and the followers, which forward requests to it until they notice its absence.
  ///
  /// - Parameters:
  ///   - call: The time of a call.
  ///   - endpoints: The number of endpoints.
  /// - Returns: The time.
  func attemptLimit(call: Duration, endpoints: Int) -> Duration {
    guard endpoints > 1 else { return attempt }
    return min(attempt, max(.seconds(1), call / (endpoints + 1)))
  }
}
