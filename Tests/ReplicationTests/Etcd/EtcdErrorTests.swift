import EtcdSupport
import Foundation
import Testing
import TestSupport

@testable import Replication

/// Each failure has a name, and says what to do.
@Suite(.serialized)
struct EtcdErrorTests {
  /// For an endpoint that never answers.
  private static let impatient = EtcdTimeouts(
    connect: .milliseconds(300),
    attempt: .milliseconds(500),
    call: .milliseconds(900)
  )

  @Test func `an endpoint where nothing listens is unavailable`() throws {
    let port = TestPort.reserve()
    let log = try EtcdLog(
      endpoints: ["http://127.0.0.1:\(port)"],
      database: "db",
      timeouts: Self.impatient
    )
    let failure = NamedFailure { _ = try log.tail() }
    #expect(failure.name == "unavailable")
    #expect(failure.text.contains("127.0.0.1:\(port)"))
    #expect(failure.text.contains("Check the endpoint"))
  }

  @Test(arguments: ["127.0.0.1:2379", "ftp://127.0.0.1", "", "http://"])
  func `an endpoint must be a URL`(endpoint: String) {
    #expect(throws: ReplicationLogError.self) {
      try EtcdLog(endpoints: [endpoint], database: "db")
    }
  }

  @Test func `the name of a database has no slash`() {
    #expect(throws: ReplicationLogError.self) {
      try EtcdLog(endpoints: ["http://127.0.0.1:2379"], database: "a/b")
    }
  }

  @Test func `the port of the members is no etcd for clients`() throws {
    let cluster = try EtcdCluster()
    let log = try EtcdLog(
      endpoints: [cluster.servers[0].peerURL],
      database: "db",
      timeouts: .patient
    )
    let failure = NamedFailure { _ = try log.tail() }
    #expect(failure.name == "unexpected")
    #expect(failure.text.contains("port 2379"))
  }

  @Test func `endpoints of different clusters are noticed`() throws {
    let (one, two) = (try EtcdCluster(), try EtcdCluster())
    let log = try EtcdLog(
      endpoints: one.endpoints + two.endpoints,
      database: "db",
      timeouts: .patient
    )
    _ = try log.tail()
    one.servers[0].kill()
    let failure = NamedFailure { _ = try log.tail() }
    #expect(failure.name == "anotherLog")
    #expect(failure.text.contains("different clusters"))
  }

  @Test func `a store without space is full, and is free again after trimming`() throws {
    let cluster = try EtcdCluster(options: ["--quota-backend-bytes", "4194304"])
    let log = try cluster.log()
    var tail = LogPosition.start
    let failure = NamedFailure {
      while tail.sequence < 50 {
        let bytes = [UInt8](repeating: 1, count: 400_000)
        if case .appended(let position) = try log.append(bytes, expecting: tail) {
          tail = position
        }
      }
    }
    #expect(failure.name == "full")
    #expect(failure.text.contains("etcdctl defrag"))
    #expect(try log.tail() == tail)
    #expect(try log.usage().isFull)
    try log.trim(below: tail)
    try cluster.control("defrag")
    try cluster.control("alarm", "disarm")
    #expect(try log.append([1], expecting: tail) == .appended(tail.next))
    #expect(try !log.usage().isFull)
  }

  @Test func `users need their password, and the right to their keys`() throws {
    let cluster = try EtcdCluster()
    try cluster.control("user", "add", "root:secret")
    try cluster.control("user", "grant-role", "root", "root")
    try cluster.control("user", "add", "shop:pass")
    try cluster.control("role", "add", "shop")
    try cluster.control(
      "role",
      "grant-permission",
      "shop",
      "--prefix=true",
      "readwrite",
      "/wellspring/shop/"
    )
    try cluster.control("user", "grant-role", "shop", "shop")
    try cluster.control("auth", "enable")

    let right = EtcdCredentials(user: "shop", password: "pass")
    let log = try cluster.log("shop", credentials: right)
    #expect(try log.append([1], expecting: .start) == .appended(LogPosition(1)))
    #expect(try log.allEntries().count == 1)
    #expect(
      try log.entries(after: LogPosition(1), limit: 1, waitingUpTo: .milliseconds(50)) == []
    )
    #expect(log.client.grpcAnswer(to: [log.keys.tailRange]) != nil)
    // A member that starts again has lost the tokens.
    cluster.servers[0].kill()
    try cluster.restart(cluster.servers[0])
    #expect(try cluster.log("shop", credentials: right).tail() == LogPosition(1))
    // If gRPC answers that the token is unknown, JSON asks for a new token.
    _ = log.client.grpcAnswer(to: [log.keys.tailRange])
    #expect(log.client.mayAskByGRPC(0))
    #expect(try log.append([2], expecting: LogPosition(1)) == .appended(LogPosition(2)))
    #expect(log.client.grpcAnswer(to: [log.keys.tailRange]) != nil)

    let wrong = EtcdCredentials(user: "shop", password: "other")
    for (credentials, database, words) in [
      (wrong, "shop", "wrong name or password"),
      (right, "other", "grant-permission"),
      (nil, "shop", "Pass its credentials"),
    ] {
      let log = try cluster.log(database, credentials: credentials)
      let failure = NamedFailure { _ = try log.tail() }
      #expect(failure.name == "authentication")
      #expect(failure.text.contains(words))
    }
    #expect(!"\(wrong)".contains("other"))
  }

  @Test func `certificates are checked on both sides`() throws {
    let certificates = try Certificates()
    let (cluster, right) = try certificates.cluster(server: "server")
    try cluster.awaitAnswer(security: right)
    let log = try cluster.log(security: right)
    #expect(try log.append([1], expecting: .start) == .appended(LogPosition(1)))
    #expect(try log.allEntries().count == 1)
    for _ in 1...3 { #expect(log.client.grpcAnswer(to: [log.keys.tailRange]) != nil) }

    var otherAuthority = right
    otherAuthority.authorityFile = certificates.path("other.pem")
    let noCertificate = EtcdSecurity(authorityFile: right.authorityFile)
    for security in [otherAuthority, noCertificate, nil] {
      let log = try cluster.log(security: security)
      let failure = NamedFailure { _ = try log.tail() }
      #expect(failure.name == "authentication")
      #expect(failure.text.contains("Check the certificates"))
    }
    #expect(throws: ReplicationLogError.self) {
      try cluster.log(security: EtcdSecurity(authorityFile: "/nowhere/ca.pem"))
    }
  }

  @Test func `a certificate that is good for servers only is named`() throws {
    let certificates = try Certificates()
    let (cluster, security) = try certificates.cluster(server: "only-server")
    // The server may still be starting.
    let deadline = ContinuousClock.now + Patience.limit
    var text = ""
    while !text.contains("clientAuth"), ContinuousClock.now < deadline {
      let log = try cluster.log(security: security, timeouts: Self.impatient)
      text = NamedFailure { _ = try log.tail() }.text
    }
    #expect(text.contains("clientAuth"))
    #expect(!text.contains(".."))
  }

  @Test func `a server that does not answer is named in a sentence`() throws {
    let cluster = try EtcdCluster()
    cluster.servers[0].signal(SIGSTOP)
    defer { cluster.servers[0].signal(SIGCONT) }
    let log = try cluster.log(timeouts: Self.impatient)
    let failure = NamedFailure { _ = try log.tail() }
    #expect(failure.name == "unavailable")
    #expect(failure.text.contains("it does not answer. Check the endpoint"))
  }
}

extension Certificates {
  /// Starts a server that checks the certificates of its clients.
  ///
  /// - Parameter name: The name of the server's certificate.
  /// - Returns: The server, and the security settings of a client.
  /// - Throws: An error if the server cannot be started.
  fileprivate func cluster(server name: String) throws -> (EtcdCluster, client: EtcdSecurity) {
    let cluster = try EtcdCluster(
      scheme: "https",
      options: [
        "--cert-file", path("\(name).pem"), "--key-file", path("\(name).key"),
        "--trusted-ca-file", path("ca.pem"), "--client-cert-auth",
      ],
      isAwaited: false
    )
    let client = EtcdSecurity(
      authorityFile: path("ca.pem"),
      certificateFile: path("client.pem"),
      keyFile: path("client.key")
    )
    return (cluster, client)
  }
}
