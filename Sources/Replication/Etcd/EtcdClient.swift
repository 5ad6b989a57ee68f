internal import Foundation
internal import WellspringSystem

/// Calls to etcd's interfaces, with fail-over between its endpoints.
final class EtcdClient: Sendable {
  private struct State {
    var isClosed = false
    var idle: [HTTPConnection] = []
    var lent: [HTTPConnection] = []
    /// The given endpoints, and those that members have reported. No endpoint is removed, so that
    /// the numbers of endpoints stay the same.
    var endpoints: [String]
    /// The endpoint that answered last.
    var preferred = 0
    var token: String?
    var cluster: String?
    /// The last election that an answer named.
    var term: UInt64 = 0
    /// The endpoints that are asked in JSON only, and until when, by the monotonic clock.
    var endsOfPauses: [Int: UInt64] = [:]
    /// When to ask for endpoints again, by the monotonic clock.
    var nextLearning: UInt64 = 0
    /// The longest time of a call.
    var callLimit: Duration
  }

  /// How many idle connections are kept for each interface of etcd.
  private static let idleLimit = 4

  /// How many endpoints were given.
  let givenCount: Int
  let credentials: EtcdCredentials?
  let security: EtcdSecurity?
  let timeouts: EtcdTimeouts
  // Guards the connections, and the known state of the servers. No request runs under the lock.
  private let state: Lock<State>

  init(
    endpoints: [String],
    credentials: EtcdCredentials?,
    security: EtcdSecurity?,
    timeouts: EtcdTimeouts
  ) {
    givenCount = endpoints.count
    self.credentials = credentials
    self.security = security
    self.timeouts = timeouts
    state = Lock(State(endpoints: endpoints, callLimit: timeouts.call))
  }

  /// The time for a call, with all its attempts.
  var callLimit: Duration { state.withLock { $0.callLimit } }

  /// Makes the time for a call shorter.
  func limitCalls(to limit: Duration) {
    state.withLock { $0.callLimit = min($0.callLimit, limit) }
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// The addresses of the members.
  var endpoints: [String] { state.withLock { $0.endpoints } }

  /// The endpoint to ask first.
  var preferred: Int { state.withLock { $0.preferred } }

  /// Asks another endpoint first, if a certain one still is the first.
  func leave(_ endpoint: Int) {
    state.withLock { state in
      if state.preferred == endpoint { state.preferred = (endpoint + 1) % state.endpoints.count }
    }
  }

  func close() {
    let (idle, lent) = state.withLock { state in
      state.isClosed = true
      let all = (state.idle, state.lent)
      state.idle = []
      return all
    }
    withExtendedLifetime(idle) {}
    lent.forEach { $0.wakeUp() }
  }

  /// Whether an endpoint may answer by gRPC.
  func mayAskByGRPC(_ endpoint: Int) -> Bool {
    state.withLock { $0.endsOfPauses[endpoint] ?? 0 <= MonotonicClock.now }
  }

  /// Asks an endpoint in JSON only, until a moment.
  func stopGRPC(of endpoint: Int, until end: UInt64) {
    state.withLock { $0.endsOfPauses[endpoint] = end }
  }

  /// Takes an idle connection, or makes one.
  func lend(forGRPC isGRPC: Bool = false) throws(ReplicationLogError) -> HTTPConnection {
    let (isClosed, idle) = state.withLock { state in
      let index = state.isClosed ? nil : state.idle.lastIndex { $0.isGRPC == isGRPC }
      let idle = index.map { state.idle.remove(at: $0) }
      if let idle { state.lent.append(idle) }
      return (state.isClosed, idle)
    }
    if isClosed { throw .closed }
    if let idle { return idle }
    guard let new = HTTPConnection(isGRPC: isGRPC) else {
      throw .unavailable("curl has no memory.")
    }
    let isTooLate = state.withLock { state in
      if !state.isClosed { state.lent.append(new) }
      return state.isClosed
    }
    if isTooLate { throw .closed }
    return new
  }

  /// Takes a connection back, and keeps it if it can be used again.
  func takeBack(_ connection: HTTPConnection, isUsable: Bool = true) {
    state.withLock { state in
      state.lent.removeAll { $0 === connection }
      let count = state.idle.count { $0.isGRPC == connection.isGRPC }
      guard isUsable, !state.isClosed, count < Self.idleLimit else { return }
      state.idle.append(connection)
    }
  }

  /// A request to one endpoint.
  func request(_ path: String, _ body: String, endpoint: Int, token: String?) -> HTTPRequest {
    request(path, body, to: endpoints[endpoint], token: token)
  }

  private func request(
    _ path: String,
    _ body: String,
    to address: String,
    token: String?
  ) -> HTTPRequest {
    HTTPRequest(
      url: address + path,
      body: Array(body.utf8),
      authorization: token,
      security: security,
      connectTimeout: timeouts.connect
    )
  }

  /// Returns the token of the user, and asks for it if the client has none.
  func token(
    _ connection: HTTPConnection,
    endpoint: Int,
    until deadline: UInt64
  ) throws -> String? {
    guard let credentials else { return nil }
    if let token = state.withLock({ $0.token }) { return token }
    let fields = ["name": credentials.user, "password": credentials.password]
    let body = String(decoding: try JSONEncoder().encode(fields), as: UTF8.self)
    let request = request("/v3/auth/authenticate", body, endpoint: endpoint, token: nil)
    let answer = try connection.send(request, quiet: timeouts.attempt, until: deadline) {
      isClosed
    }
    guard answer.status == 200 else {
      switch EtcdVerdict(status: answer.status, body: answer.body, limit: 0, bytes: 0) {
      case .never(let error), .foreign(let error): throw error
      case .again(let text): throw HTTPFailure.notSent(text)
      case .newToken, .compacted: throw HTTPFailure.notSent("it gives no token")
      }
    }
    guard let token = try? JSONDecoder().decode(EtcdToken.self, from: Data(answer.body)).token
    else {
      throw ReplicationLogError.unexpected("etcd gives no token.")
    }
    state.withLock { $0.token = token }
    return token
  }

  /// The token of the user, if etcd gave one.
  var knownToken: String? { state.withLock { $0.token } }

  /// Discards a token that etcd does not accept.
  func forgetToken(_ token: String?) {
    state.withLock { state in
      if state.token == token { state.token = nil }
    }
  }

  /// Waits until a moment, or until the log is closed.
  ///
  /// - Throws: ``ReplicationLogError/closed``.
  func rest(until end: UInt64) throws(ReplicationLogError) {
    let connection = try lend()
    defer { takeBack(connection) }
    while MonotonicClock.now < end, !isClosed { connection.wait(until: end) }
    if isClosed { throw .closed }
  }

  /// Checks that an answer is from the same cluster as those before.
  func check(_ header: EtcdHeader) throws(ReplicationLogError) {
    guard let cluster = header.cluster_id else { throw .unexpected("etcd does not say who it is.") }
    let known = state.withLock { state in
      if state.cluster == nil { state.cluster = cluster }
      if let term = header.raft_term.flatMap({ UInt64($0) }) { state.term = max(state.term, term) }
      return state.cluster
    }
    guard known == cluster else {
      throw .anotherLog(
        "the endpoints belong to different clusters of etcd, or the cluster was made again or "
          + "restored. Check the endpoints, and open the node again."
      )
    }
  }
}

// MARK: - Endpoints

extension EtcdClient {
  /// How many endpoints are used at most.
  private static let endpointLimit = 32
  private static let learningInterval: UInt64 = 60_000_000_000
  /// The time for the state of a member, in nanoseconds, in a search for a leader.
  private static let statusLimit: UInt64 = 200_000_000

  /// Returns the address of a server without a slash at its end; `nil` if it is malformed.
  static func address(_ text: String) -> String? {
    guard let url = URL(string: text), ["http", "https"].contains(url.scheme),
      url.host?.isEmpty == false
    else { return nil }
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }

  /// Asks for endpoints on another thread, unless this was done a moment ago.
  func learnEndpointsLater() {
    let isDue = state.withLock { state in
      let now = MonotonicClock.now
      guard now >= state.nextLearning else { return false }
      state.nextLearning = now + Self.learningInterval
      return true
    }
    guard isDue else { return }
    // etcd may not tell its members to this user.
    Thread.detachNewThread { try? self.learnEndpoints() }
  }

  /// Asks the cluster for the addresses of its members, and adds addresses that answer as its
  /// members.
  ///
  /// etcd advertises `localhost` unless it is configured otherwise, and another server may be
  /// there. So a server gets no token before it is known, and no password without encryption.
  ///
  /// - Throws: ``ReplicationLogError``.
  func learnEndpoints() throws(ReplicationLogError) {
    let list = try answer("/v3/cluster/member/list", "{}", as: EtcdMembers.self)
    try check(list.header)
    let isSecure = credentials != nil || endpoints.allSatisfy { $0.hasPrefix("https:") }
    let addresses = (list.members ?? []).flatMap { $0.clientURLs ?? [] }.compactMap(Self.address)
    for address in addresses where address.hasPrefix("https:") || !isSecure {
      let known = endpoints
      guard !known.contains(address), known.count < Self.endpointLimit else { continue }
      guard try cluster(at: address) == list.header.cluster_id else { continue }
      state.withLock { state in
        if !state.endpoints.contains(address) { state.endpoints.append(address) }
      }
    }
  }

  /// Returns the cluster of a server; `nil` if it does not answer.
  private func cluster(at address: String) throws(ReplicationLogError) -> String? {
    let connection = try lend()
    defer { takeBack(connection) }
    return status(connection, at: address, limit: timeouts.attempt)?.header.cluster_id
  }

  /// Asks a server for its state, which it knows without the other servers.
  ///
  /// - Returns: `nil` if it does not answer in time.
  private func status(
    _ connection: HTTPConnection,
    at address: String,
    limit: Duration
  ) -> EtcdStatus? {
    let request = request("/v3/maintenance/status", "{}", to: address, token: nil)
    let end = MonotonicClock.now + limit.nanoseconds
    let answer = try? connection.send(request, quiet: limit, until: end) { isClosed }
    guard let answer, answer.status == 200 else { return nil }
    return try? JSONDecoder().decode(EtcdStatus.self, from: Data(answer.body))
  }

  /// Waits for a member that follows a new leader, and asks it first from now on.
  ///
  /// During an election, a member passes a request on to the former leader, and the request is
  /// lost. When the search ends without a result, the next endpoint is asked as usual.
  ///
  /// - Returns: Whether there is a new leader, or the former one is there again.
  func preferNewLeader(_ connection: HTTPConnection, until deadline: UInt64) -> Bool {
    let (first, term, addresses) = state.withLock { ($0.preferred, $0.term, $0.endpoints) }
    var search = EtcdLeaderSearch(
      among: addresses.indices.map { (first + $0) % addresses.count },
      after: term,
      from: MonotonicClock.now,
      until: deadline
    )
    while !search.members.isEmpty {
      for endpoint in search.members {
        let now = MonotonicClock.now
        guard now < search.end, !isClosed else { return false }
        let limit = min(Self.statusLimit, search.end - now)
        let status = status(connection, at: addresses[endpoint], limit: .nanoseconds(limit))
        guard let status else {
          if limit == Self.statusLimit { search.didNotAnswer(endpoint) }
          continue
        }
        let (newTerm, answered) = (status.termOfLeader, MonotonicClock.now)
        guard search.didAnswer(endpoint, termOfLeader: newTerm, at: answered) else { continue }
        state.withLock { $0.preferred = endpoint }
        return true
      }
      connection.wait(until: min(search.end, MonotonicClock.now + 50_000_000))
    }
    return false
  }
}
