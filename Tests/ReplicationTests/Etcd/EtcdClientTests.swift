import EtcdSupport
import Foundation
import Testing
import TestSupport

@testable import Replication

/// Calls of etcd: which endpoint gets them, how often, and how they end.
@Suite(.serialized, .patient) struct EtcdClientTests {
  private static let put = (path: "/v3/kv/put", body: #"{"key":"YQ==","value":"Yg=="}"#)
  /// Each member answers it alone, also while no member leads.
  private static let status = (path: "/v3/maintenance/status", body: "{}")

  private static func client(
    _ endpoints: [String],
    credentials: EtcdCredentials? = nil,
    timeouts: EtcdTimeouts = .patient
  ) -> EtcdClient {
    EtcdClient(endpoints: endpoints, credentials: credentials, security: nil, timeouts: timeouts)
  }

  /// Runs a closure on a thread of its own, because etcd is started and called by blocking calls.
  private static func blocking<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await OwnThread.run(body).value
  }

  /// Makes a call whose effect matters.
  ///
  /// - Returns: `answer`, `unknown`, or the name of the error.
  private static func outcome(
    of request: (path: String, body: String),
    _ client: EtcdClient
  ) async throws -> String {
    let (path, body) = request
    return try await blocking {
      var outcome = ""
      let failure = NamedFailure {
        switch try client.call(path, body, as: EtcdChange.self, hasEffect: true) {
        case .answer: outcome = "answer"
        case .unknown: outcome = "unknown"
        }
      }
      return outcome.isEmpty ? failure.name : outcome
    }
  }

  // MARK: Endpoints

  @Test func `an endpoint is left once, and the first one follows the last one`() {
    let client = Self.client(["http://a", "http://b"])
    client.leave(1)
    #expect(client.preferred == 0)
    // Two calls have failed at the same endpoint.
    for _ in 1...2 { client.leave(0) }
    #expect(client.preferred == 1)
    client.leave(1)
    #expect(client.preferred == 0)
  }

  @Test(arguments: [SIGKILL, SIGSTOP])
  func `after an endpoint that does not answer, the next one gets this call and later ones`(
    signal: Int32
  ) async throws {
    let cluster = try await Self.blocking {
      let cluster = try EtcdCluster(size: 3)
      cluster.servers[0].signal(signal)
      return cluster
    }
    let timeouts = EtcdTimeouts(connect: .seconds(30), attempt: .seconds(3), call: .seconds(120))
    let client = Self.client(cluster.endpoints, timeouts: timeouts)
    defer { client.close() }
    #expect(client.preferred == 0)
    for _ in 1...2 {
      #expect(try await Self.outcome(of: Self.status, client) == "answer")
      #expect(client.preferred == 1)
    }
    withExtendedLifetime(cluster) {}
  }

  // MARK: Attempts

  @Test(
    arguments: [
      ([.requestLost, .answerLost], 2, "answer"),
      // Another server than etcd has answered.
      ([.gaveUp, .gaveUp], 1, "unknown"),
    ] as [([SpoilingProxy.Fault], Int, String)]
  )
  func `a request without an answer is repeated, and a request with a wrong answer is not`(
    faults: [SpoilingProxy.Fault],
    spoiled: Int,
    expected: String
  ) async throws {
    let cluster = try await Self.blocking { try EtcdCluster() }
    let proxy = try SpoilingProxy(cluster.endpoints[0], word: Self.put.path)
    defer { proxy.end() }
    let client = Self.client([proxy.url])
    defer { client.close() }
    proxy.spoil(faults)
    #expect(try await Self.outcome(of: Self.put, client) == expected)
    #expect(proxy.count == spoiled)
    withExtendedLifetime(cluster) {}
  }

  @Test func `a call that etcd refuses ends with the refusal of the first endpoint`() async throws {
    let cluster = try await Self.blocking { try EtcdCluster() }
    // A second attempt would find no server.
    let client = Self.client(
      cluster.endpoints + ["http://127.0.0.1:\(TestPort.reserve())"],
      timeouts: EtcdTimeouts(connect: .seconds(30), attempt: .seconds(30), call: .seconds(120))
    )
    defer { client.close() }
    let failure = try await Self.blocking {
      NamedFailure {
        _ = try client.call(
          "/v3/kv/compaction",
          #"{"revision":"1000000"}"#,
          as: EtcdChange.self,
          hasEffect: true
        )
      }
    }
    #expect(failure.name == "unexpected")
    #expect(failure.text.contains("future revision"))
    #expect(client.preferred == 0)
    withExtendedLifetime(cluster) {}
  }

  @Test func `a token serves all calls until it is discarded, and only it can be discarded`()
    async throws
  {
    let cluster = try await Self.blocking {
      let cluster = try EtcdCluster()
      try cluster.control("user", "add", "root:secret")
      try cluster.control("user", "grant-role", "root", "root")
      try cluster.control("auth", "enable")
      return cluster
    }
    let root = EtcdCredentials(user: "root", password: "secret")
    let client = Self.client(cluster.endpoints, credentials: root)
    defer { client.close() }
    #expect(client.knownToken == nil)
    #expect(try await Self.outcome(of: Self.put, client) == "answer")
    let first = try #require(client.knownToken)
    client.forgetToken("a token that was replaced before")
    #expect(try await Self.outcome(of: Self.put, client) == "answer")
    #expect(client.knownToken == first)
    client.forgetToken(first)
    #expect(client.knownToken == nil)
    #expect(try await Self.outcome(of: Self.put, client) == "answer")
    #expect(try #require(client.knownToken) != first)
  }

  // MARK: The end of a call

  @Test(arguments: [(SIGKILL, "unavailable"), (SIGSTOP, "unknown")])
  func `a call whose time is over says whether a request may have arrived`(
    signal: Int32,
    expected: String
  ) async throws {
    let cluster = try await Self.blocking {
      let cluster = try EtcdCluster()
      // The kernel takes requests to a process that was stopped.
      if signal == SIGKILL { cluster.servers[0].kill() } else { cluster.servers[0].signal(signal) }
      return cluster
    }
    let timeouts = EtcdTimeouts(connect: .seconds(30), attempt: .seconds(1), call: .seconds(2))
    let client = Self.client(cluster.endpoints, timeouts: timeouts)
    defer { client.close() }
    #expect(try await Self.outcome(of: Self.put, client) == expected)
    withExtendedLifetime(cluster) {}
  }

  @Test func `the time of a call becomes shorter only`() {
    let client = Self.client(["http://a"], timeouts: EtcdTimeouts(call: .seconds(4)))
    #expect(client.callLimit == .seconds(4))
    client.limitCalls(to: .seconds(5))
    #expect(client.callLimit == .seconds(4))
    client.limitCalls(to: .seconds(3))
    client.limitCalls(to: .seconds(5))
    #expect(client.callLimit == .seconds(3))
  }

  @Test func `closing ends a call that waits for its answer, and refuses later calls`() async throws
  {
    let cluster = try await Self.blocking {
      let cluster = try EtcdCluster()
      cluster.servers[0].signal(SIGSTOP)
      return cluster
    }
    // It counts the requests that arrive, and the server answers none.
    let proxy = try SpoilingProxy(cluster.endpoints[0], word: Self.status.path)
    defer { proxy.end() }
    proxy.spoil(Array(repeating: .doubled, count: 9))
    let timeouts = EtcdTimeouts(attempt: .seconds(10_000), call: .seconds(10_000))
    let client = Self.client([proxy.url], timeouts: timeouts)
    let path = Self.status.path
    let call = OwnThread.run {
      NamedFailure { _ = try client.answer(path, "{}", as: EtcdStatus.self) }.name
    }
    try await eventually { proxy.count == 1 }
    client.close()
    #expect(try await call.value == "closed")
    #expect(try await Self.outcome(of: Self.status, client) == "closed")
    #expect(proxy.count == 1)
    withExtendedLifetime(cluster) {}
  }

  // MARK: Connections

  @Test func `a connection is lent again if it can be used, and at most four are kept`() throws {
    let client = Self.client(["http://a"])
    let first = try client.lend()
    client.takeBack(first)
    let second = try client.lend()
    #expect(second === first)
    let other = try client.lend()
    #expect(other !== first)
    client.takeBack(other, isUsable: false)
    client.takeBack(first)
    // A connection of one version of HTTP does not serve the other one.
    let binary = try client.lend(forGRPC: true)
    #expect(binary.isGRPC && binary !== first)
    client.takeBack(binary)
    let lent = try (1...6).map { _ in try client.lend() }
    #expect(lent.contains { $0 === first })
    #expect(!lent.contains { $0 === other || $0 === binary })
    for connection in lent { client.takeBack(connection) }
    let again = try (1...6).map { _ in try client.lend() }
    let kept = again.count { connection in lent.contains { $0 === connection } }
    #expect(kept == 4)
    for connection in again { client.takeBack(connection) }
    client.close()
    #expect(throws: ReplicationLogError.closed) { try client.lend() }
  }
}
