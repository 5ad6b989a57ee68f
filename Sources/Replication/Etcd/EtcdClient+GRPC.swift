internal import WellspringSystem

extension EtcdClient {
  /// For how long an endpoint that did not answer by gRPC is asked in JSON only.
  private static let pauseOfGRPC: UInt64 = 60_000_000_000

  /// The outcome of a call by gRPC.
  private enum GRPCOutcome {
    case answer(EtcdTransaction)
    /// etcd itself has refused it, for example since the token is too old.
    case refusal
    case closed
    /// No gRPC answer came, on a connection that had brought one before or not.
    case failure(isReused: Bool)
  }

  /// Reads several ranges at one moment by gRPC, whose answers are a quarter smaller than JSON.
  ///
  /// It asks one endpoint, and reports no reason for a failure. The same call in JSON does, and
  /// passes any proxy.
  ///
  /// - Returns: `nil` if no answer came.
  func grpcAnswer(to reads: [EtcdRead]) -> EtcdTransaction? {
    let endpoint = preferred
    guard mayAskByGRPC(endpoint) else { return nil }
    var outcome = callByGRPC(reads, endpoint)
    // The server has closed its connections, or was started again. Connections that fail are not
    // kept.
    while case .failure(isReused: true) = outcome { outcome = callByGRPC(reads, endpoint) }
    if case .answer(let answer) = outcome { return answer }
    if case .failure = outcome {
      stopGRPC(of: endpoint, until: MonotonicClock.now + Self.pauseOfGRPC)
    }
    return nil
  }

  private func callByGRPC(_ reads: [EtcdRead], _ endpoint: Int) -> GRPCOutcome {
    let token = knownToken
    // A token is asked for in JSON.
    if credentials != nil, token == nil { return .refusal }
    guard let connection = try? lend(forGRPC: true) else { return .closed }
    var isUsable = false
    defer { takeBack(connection, isUsable: isUsable) }
    let request = HTTPRequest(
      url: endpoints[endpoint] + "/etcdserverpb.KV/Txn",
      body: GRPCMessage.framed(reads.protobuf),
      authorization: token,
      security: security,
      connectTimeout: timeouts.connect
    )
    let isReused = connection.hasAnsweredByGRPC(request.url)
    let limit = callLimit
    do throws(HTTPFailure) {
      // An answer that comes slowly would come as slowly in JSON.
      let answer = try connection.send(
        request,
        quiet: timeouts.attemptLimit(call: limit, endpoints: givenCount),
        until: MonotonicClock.now + 21 * limit.nanoseconds
      ) { isClosed }
      guard let status = answer.grpcStatus else { return .failure(isReused: isReused) }
      isUsable = true
      if status != 0 { return .refusal }
      guard let content = GRPCMessage.content(of: answer.body),
        let transaction = try? EtcdTransaction(protobuf: content)
      else { return .failure(isReused: false) }
      return .answer(transaction)
    } catch {
      switch error {
      case .closed: return .closed
      case .silent:
        leave(endpoint)
        return .failure(isReused: false)
      case .notSent, .broken, .refused: return .failure(isReused: isReused)
      }
    }
  }
}

/// A message with its frame: whether it is compressed, its size in four bytes, and the content.
///
/// https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
enum GRPCMessage {
  static func framed(_ content: [UInt8]) -> [UInt8] {
    [0] + withUnsafeBytes(of: UInt32(content.count).bigEndian, Array.init) + content
  }

  /// The content of one whole message that is not compressed.
  static func content(of bytes: [UInt8]) -> ArraySlice<UInt8>? {
    guard bytes.count >= 5, bytes[0] == 0 else { return nil }
    let size = bytes[1...4].reduce(0) { $0 << 8 | Int($1) }
    return bytes.count == 5 + size ? bytes[5...] : nil
  }
}
