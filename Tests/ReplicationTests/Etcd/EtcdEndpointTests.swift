import EtcdSupport
import Foundation
import Testing
import TestSupport

@testable import Replication
import WellspringSystem

@Suite(.patient) struct EtcdEndpointTests {
  @Test(arguments: [false, true])
  func `the other members of the cluster are used when the given one is killed`(learns: Bool) throws
  {
    let cluster = try EtcdCluster(size: 3)
    var timeouts = EtcdTimeouts()
    timeouts.call = .seconds(learns ? 30 : 5)
    let log = try EtcdLog(
      endpoints: [cluster.servers[0].clientURL],
      database: "shop",
      timeouts: timeouts,
      learnsEndpoints: learns
    )
    defer { log.close() }
    // The first announcement asks for the other endpoints on a thread of its own.
    try log.announce([1], of: "a", for: .seconds(100))
    let end = ContinuousClock.now + Patience.limit
    while log.client.endpoints.count != (learns ? 3 : 1), ContinuousClock.now < end {
      usleep(5_000)
    }
    #expect(log.client.endpoints.count == (learns ? 3 : 1))
    cluster.servers[0].kill()
    if learns {
      #expect(try log.tail() == .start)
    } else {
      #expect(throws: ReplicationLogError.self) { try log.tail() }
    }
  }

  @Test func `an address of another cluster, or without a server, is not used`() throws {
    let other = try EtcdCluster()
    for address in [other.servers[0].clientURL, "http://127.0.0.1:1"] {
      let cluster = try EtcdCluster(options: ["--advertise-client-urls", address])
      #expect(try Self.learned(from: cluster) == cluster.endpoints)
    }
    let three = try EtcdCluster(size: 3)
    #expect(try Self.learned(from: three).sorted() == three.endpoints.sorted())
  }

  /// The endpoints of a log that was given the first one.
  private static func learned(
    from cluster: EtcdCluster,
    credentials: EtcdCredentials? = nil
  ) throws -> [String] {
    var timeouts = EtcdTimeouts.patient
    // No address here belongs to a server that is silent.
    timeouts.attempt = timeouts.call
    let log = try EtcdLog(
      endpoints: [cluster.endpoints[0] + "/"],
      database: "shop",
      credentials: credentials,
      timeouts: timeouts
    )
    defer { log.close() }
    // Known endpoints are not added again.
    for _ in 0..<2 { try log.client.learnEndpoints() }
    return log.client.endpoints
  }

  @Test func `with credentials, an address without encryption is not learned`() throws {
    let cluster = try EtcdCluster(size: 3)
    try cluster.control("user", "add", "root:secret")
    try cluster.control("user", "grant-role", "root", "root")
    try cluster.control("auth", "enable")
    let root = EtcdCredentials(user: "root", password: "secret")
    #expect(try Self.learned(from: cluster, credentials: root) == [cluster.endpoints[0]])
  }

  @Test func `a member that follows a new leader is asked after silent ones`() throws {
    let cluster = try EtcdCluster(size: 3, isPartitionable: true)
    let network = try #require(cluster.network)
    let leader = try #require(try cluster.awaitLeader())
    let log = try cluster.log()
    defer { log.close() }
    let tail = LogPosition(1)
    #expect(try log.append([1], expecting: .start) == .appended(tail))
    let client = log.client
    let number = try #require(cluster.endpoints.firstIndex(of: leader.clientURL))
    while client.preferred != number { client.leave(client.preferred) }
    let connection = try client.lend()
    defer { client.takeBack(connection) }
    // All members are connected, so there is no new leader.
    #expect(!client.preferNewLeader(connection, until: MonotonicClock.now + 100_000_000))
    #expect(client.preferred == number)
    network.isolate([leader.name])
    let end = MonotonicClock.now + Patience.limit.nanoseconds
    while !client.preferNewLeader(connection, until: end), MonotonicClock.now < end {}
    // The isolated member is not preferred, because it does not follow a leader.
    #expect(client.preferred != number)
    #expect(try log.tail() == tail)
    network.isolate([])
  }

  @Test(arguments: [(1, 2_000), (2, 1_333), (3, 1_000), (5, 1_000)])
  func `each endpoint is asked in the time of a call, and the first one twice`(
    endpoints: Int,
    milliseconds: Int
  ) {
    let limit = EtcdTimeouts().attemptLimit(call: .seconds(4), endpoints: endpoints)
    #expect(Int(limit / .milliseconds(1)) == milliseconds)
    let short = EtcdTimeouts(attempt: .milliseconds(300))
    #expect(short.attemptLimit(call: .seconds(4), endpoints: endpoints) == .milliseconds(300))
  }
}
