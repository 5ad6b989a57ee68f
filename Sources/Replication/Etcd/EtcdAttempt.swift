/// The outcome of one attempt to call etcd.
enum EtcdAttempt<Answer> {
  case answered(Answer)
  /// No attempt can succeed.
  case hopeless(ReplicationLogError, mayHaveArrived: Bool = false)
  /// The next attempt may succeed.
  case failed(String, Failure)
  /// The endpoint and this node do not accept each other's certificate.
  case refused(String)

  /// How an attempt has failed.
  struct Failure: Equatable {
    /// Whether the request may have had its effect.
    var mayHaveArrived = false
    /// Whether the next attempt is made with another endpoint.
    var leavesEndpoint = true
    /// Whether no byte has moved, though the connection stands.
    var isSilent = false
  }

  /// The outcome of an attempt without an answer.
  ///
  /// - Parameters:
  ///   - failure: The error of the request.
  ///   - name: The endpoint.
  ///   - wasSent: Whether the request itself was sent, and not only one for a token.
  init(_ failure: HTTPFailure, _ name: String, wasSent: Bool) {
    func failed(_ text: String, isSilent: Bool = false, mayHaveArrived: Bool) -> Self {
      .failed(
        "\(name): \(text). Check the endpoint, and that etcd runs.",
        Failure(mayHaveArrived: wasSent && mayHaveArrived, isSilent: wasSent && isSilent)
      )
    }
    self =
      switch failure {
      // Closing the log does not call a request back that is under way.
      case .closed: .hopeless(.closed, mayHaveArrived: wasSent)
      case .refused(let text):
        .refused("\(name): \(text). Check the certificates and their authority.")
      case .notSent(let text): failed(text, mayHaveArrived: false)
      case .broken(let text): failed(text, mayHaveArrived: true)
      case .silent(let text): failed(text, isSilent: true, mayHaveArrived: true)
      }
  }

  /// Whether the next attempt is made with another endpoint.
  var leavesEndpoint: Bool {
    switch self {
    case .answered, .hopeless: false
    case .failed(_, let failure): failure.leavesEndpoint
    case .refused: true
    }
  }
}

/// The outcome of the attempts of one call so far.
struct EtcdCallProgress {
  private(set) var attempts = 0
  /// How many attempts had no answer though their connection stood.
  private(set) var silences = 0
  private var mayHaveArrived = false
  private var refusal: String?
  private var reason = "No answer."

  /// Notes an attempt.
  ///
  /// - Parameters:
  ///   - attempt: Its outcome.
  ///   - endpoints: How many endpoints there are.
  /// - Returns: The result of the call; `nil` if another attempt may succeed.
  /// - Throws: ``ReplicationLogError`` if the call certainly had no effect, and cannot have one.
  mutating func note<Answer>(
    _ attempt: EtcdAttempt<Answer>,
    of endpoints: Int
  ) throws(ReplicationLogError) -> EtcdResult<Answer>? {
    attempts += 1
    switch attempt {
    case .answered(let answer): return .answer(answer)
    case .hopeless(let error, let mayHaveArrived):
      // An earlier attempt may have had its effect: this refusal says nothing about it.
      guard self.mayHaveArrived || mayHaveArrived else { throw error }
      return .unknown(error == .closed ? "the log was closed." : error.description)
    case .refused(let text): refusal = text
    case .failed(let text, let failure):
      reason = text
      mayHaveArrived = mayHaveArrived || failure.mayHaveArrived
      if failure.isSilent { silences += 1 }
    }
    // A wrong certificate does not get better, but another endpoint may have a right one.
    if let refusal, !mayHaveArrived, attempts >= endpoints { throw .authentication(refusal) }
    return nil
  }

  /// Returns the result of a call whose time is over.
  ///
  /// - Throws: ``ReplicationLogError/unavailable(_:)`` if no request can have arrived.
  func end<Answer>() throws(ReplicationLogError) -> EtcdResult<Answer> {
    guard mayHaveArrived else { throw .unavailable(reason) }
    return .unknown(reason)
  }
}
