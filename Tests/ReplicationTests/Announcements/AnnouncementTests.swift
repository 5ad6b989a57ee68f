import EtcdSupport
import Foundation
import Storage
import Testing
import TestSupport
import WellspringSystem

@testable import Replication

@Suite(.patient) struct AnnouncementTests {
  /// Asks again until a log lists nodes as they are expected.
  static func nodes(
    _ log: any ReplicationLog,
    _ isExpected: ([NodeAnnouncement]) -> Bool
  ) async throws -> [NodeAnnouncement] {
    let end = ContinuousClock.now + Patience.limit
    while true {
      let nodes = try log.nodes()
      if isExpected(nodes) { return nodes }
      try #require(ContinuousClock.now < end, "the nodes are \(nodes)")
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  static func options(_ name: String) -> ReplicationOptions {
    var options = TestNodes.options(name)
    options.announcementInterval = .milliseconds(40)
    return options
  }

  private static func opened(on etcd: Bool) throws -> (EtcdCluster?, () throws -> AnyLog) {
    guard etcd else {
      let log = MemoryLog()
      return (nil, { AnyLog(MemoryLog(sharing: log)) })
    }
    let cluster = try EtcdCluster()
    return (cluster, { AnyLog(try cluster.log()) })
  }

  @Test(arguments: [false, true])
  func `nodes are listed while they run, with what they do`(etcd: Bool) async throws {
    let nodes = try TestNodes()
    let (cluster, makeLog) = try Self.opened(on: etcd)
    let log = try makeLog()
    func open(_ name: String, _ role: ReplicationRole) async throws -> ReplicatedDatabase {
      try await ReplicatedDatabase(
        path: nodes.path(name),
        log: makeLog(),
        role: role,
        options: Self.options(name)
      )
    }
    let a = try await open("a", .automatic)
    try await a.waitForPrimacy()
    let b = try await open("b", .replica)
    try await a.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    let written = a.status.applied.sequence
    let listed = try await Self.nodes(log) { nodes in
      nodes.map(\.role) == [.primary, .replica] && nodes.allSatisfy { $0.applied >= written }
        && nodes.allSatisfy { $0.lag != nil }
    }
    #expect(listed.map(\.address) == ["a", "b"])
    #expect(listed.map(\.mayBePrimary) == [true, false])
    #expect(listed.allSatisfy { $0.process == getpid() && $0.epoch == 1 && $0.error == nil })
    #expect(Set(listed.map(\.id)).count == 2)
    try b.close()
    _ = try await Self.nodes(log) { $0.map(\.address) == ["a"] }
    let again = try await open("b", .replica)
    #expect(try await Self.nodes(log) { $0.count == 2 }.map(\.id) == listed.map(\.id))
    try again.close()
    try a.close()
    _ = try await Self.nodes(log) { $0.isEmpty }
    withExtendedLifetime(cluster) {}
  }

  @Test func `a node that is closed takes its announcement away`() async throws {
    let nodes = try TestNodes()
    var options = TestNodes.options("a")
    // It would be kept for longer than the test takes.
    options.announcementInterval = .seconds(10_000)
    let a = try await nodes.open("a", options: options)
    _ = try await Self.nodes(nodes.log) { $0.count == 1 }
    try a.close()
    #expect(try nodes.log.nodes() == [])
  }

  @Test(arguments: [false, true])
  func `what a node does not say again is forgotten after its time`(etcd: Bool) async throws {
    let (cluster, makeLog) = try Self.opened(on: etcd)
    let log = try makeLog()
    try log.announce([1], of: "a", for: etcd ? .seconds(1) : .milliseconds(1))
    try log.announce([2], of: "b", for: .seconds(10_000))
    try log.announce([3], of: "b", for: .seconds(10_000))
    let end = ContinuousClock.now + Patience.limit
    while try log.announcements() != [[3]] {
      try #require(ContinuousClock.now < end)
      try await Task.sleep(for: .milliseconds(20))
    }
    try log.withdraw("b")
    try log.withdraw("b")
    #expect(try log.announcements() == [])
    #expect(try log.tail() == .start)
    withExtendedLifetime(cluster) {}
  }

  @Test func `an announcement that cannot be read is left out, and one with more fields is read`()
    throws
  {
    let log = MemoryLog()
    let status = NodeState(
      place: HistoryPosition(
        database: DatabaseID(),
        position: LogPosition(7),
        epoch: 2,
        commit: 3,
        hash: EntryHash(of: [])
      ),
      epochs: EpochBeginnings(),
      primaryAddress: nil
    ).status(at: 0, lastContact: nil, hasStore: false, isSilent: false)
    let identity = NodeIdentity(id: "1", address: "a")
    let announcement = NodeAnnouncement(
      status,
      of: identity,
      role: .preferred,
      hasSnapshotStore: false,
      at: 5
    )
    var text = String(decoding: announcement.encoded(), as: UTF8.self)
    text.insert(contentsOf: #""later":[1],"#, at: text.index(after: text.startIndex))
    try log.announce(Array(text.utf8), of: "a", for: .seconds(100))
    try log.announce(Array("no JSON".utf8), of: "b", for: .seconds(100))
    try log.announce([], of: "c", for: .seconds(100))
    #expect(try log.nodes() == [announcement])
    #expect(announcement.isPreferred && announcement.applied == 7 && announcement.lag == nil)
    // A node of another version.
    try log.announce(Array(#"{"id": "x", "role": "sleeping"}"#.utf8), of: "d", for: .seconds(100))
    let other = try #require(try log.nodes().first { $0.id == "x" })
    #expect(other.role == .unknown && !other.isPreferred && other.lag == nil)
  }

  @Test func `a file keeps its identity, also under another address`() async throws {
    let nodes = try TestNodes()
    var ids: [String] = []
    for (file, address) in [("a", "a"), ("a", "b"), ("c", "a")] {
      var options = Self.options(address)
      options.announcementInterval = .seconds(10_000)
      let node = try await nodes.open(file, options: options)
      ids.append(try await Self.nodes(nodes.log) { $0.count == 1 }[0].id)
      try node.close()
    }
    #expect(ids[0] == ids[1] && ids[0] != ids[2])
    #expect(ids.allSatisfy { $0.count == 16 })
  }

  @Test func `a log that keeps no announcements lists no nodes`() async throws {
    let log = ScriptedLog()
    try log.announce([1], of: "a", for: .seconds(1))
    try log.withdraw("a")
    #expect(try log.nodes() == [])
  }

  @Test func `with an interval of zero, a node is not announced`() async throws {
    let nodes = try TestNodes()
    var options = TestNodes.options("a")
    options.announcementInterval = .zero
    let a = try await nodes.open("a", options: options)
    try await a.waitForPrimacy()
    try a.close()
    #expect(try nodes.log.nodes() == [])
  }
}
