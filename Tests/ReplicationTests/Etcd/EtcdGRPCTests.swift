import EtcdSupport
import Foundation
import Testing
import TestSupport

@testable import Replication

/// Reads by gRPC, which bring the many entries that a reader has missed.
@Suite(.serialized, .patient) struct EtcdGRPCTests {
  private func append(_ count: Int, bytes: Int, to log: EtcdLog) throws {
    for number in 0..<count {
      let entry = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: bytes)
      let position = LogPosition(Int64(number))
      #expect(try log.append(entry, expecting: position) == .appended(position.next))
    }
  }

  private func pairs(_ answer: EtcdTransaction) -> [[[UInt8]]] {
    (answer.responses ?? []).indices.map { index in
      answer.pairs(index).map {
        Array($0.key) + [0] + Array($0.value ?? Data()) + Array(($0.mod_revision ?? "").utf8)
      }
    }
  }

  @Test func `gRPC and JSON give the same answer`() throws {
    let cluster = try EtcdCluster()
    let log = try cluster.log()
    defer { log.close() }
    try append(20, bytes: 300, to: log)
    let reads = [
      log.keys.range(from: LogPosition(3), limit: 5), log.keys.tailRange,
      log.keys.range(from: LogPosition(1), limit: 1, keysOnly: true),
      log.keys.range(from: LogPosition(100), limit: 5), log.keys.nodeRange,
    ]
    let json = try log.read(reads)
    let grpc = try #require(log.client.grpcAnswer(to: reads))
    #expect(pairs(grpc) == pairs(json))
    #expect(pairs(grpc).map(\.count) == [5, 1, 1, 0, 0])
    #expect(grpc.header.cluster_id == json.header.cluster_id)
    #expect(grpc.header.revision == json.header.revision)
    #expect(grpc.header.raft_term == json.header.raft_term)
    #expect(grpc.hasRanges(5))
  }

  @Test func `entries that a reader has missed come without base64`() throws {
    let cluster = try EtcdCluster()
    let log = try cluster.log()
    try append(200, bytes: 3_000, to: log)
    let link = try SlowLink(cluster.endpoints[0], bytesPerSecond: 100_000_000)
    defer { link.end() }
    let reader = try EtcdLog(endpoints: [link.url], database: "db", timeouts: .patient)
    defer { [log, reader].forEach { $0.close() } }
    let entries = try reader.allEntries()
    #expect(entries.map(\.bytes.first) == (0..<200).map { UInt8($0) })
    // In JSON, they have more than four thirds of the size.
    #expect(link.receivedBytes < 200 * 3_000 * 5 / 4)
  }

  @Test func `an endpoint without gRPC is read in JSON, and asked again after a while`() throws {
    let cluster = try EtcdCluster()
    // It understands the first version of HTTP only.
    let proxy = try SpoilingProxy(cluster.endpoints[0], word: "never")
    defer { proxy.end() }
    let log = try cluster.log()
    let reader = try EtcdLog(endpoints: [proxy.url], database: "db", timeouts: .patient)
    defer { [log, reader].forEach { $0.close() } }
    try append(50, bytes: 100, to: log)
    #expect(reader.client.mayAskByGRPC(0))
    #expect(try reader.allEntries().count == 50)
    #expect(!reader.client.mayAskByGRPC(0))
    reader.client.stopGRPC(of: 0, until: 0)
    #expect(reader.client.mayAskByGRPC(0))
  }

  @Test func `a refusal by etcd leaves gRPC usable`() throws {
    let cluster = try EtcdCluster()
    let log = try cluster.log()
    defer { log.close() }
    // A transaction may have 128 parts.
    let reads = Array(repeating: log.keys.tailRange, count: 200)
    #expect(log.client.grpcAnswer(to: reads) == nil)
    #expect(log.client.mayAskByGRPC(0))
    for _ in 1...3 { #expect(log.client.grpcAnswer(to: [log.keys.tailRange]) != nil) }
    log.close()
    #expect(log.client.grpcAnswer(to: [log.keys.tailRange]) == nil)
  }

  @Test func `a server that was started again answers by gRPC at once`() throws {
    let cluster = try EtcdCluster()
    let log = try cluster.log()
    defer { log.close() }
    try append(1, bytes: 10, to: log)
    // Several connections are idle then. After the restart, they cannot be used again.
    DispatchQueue.concurrentPerform(iterations: 60) { _ in
      #expect(log.client.grpcAnswer(to: [log.keys.tailRange]) != nil)
    }
    cluster.servers[0].kill()
    try cluster.restart(cluster.servers[0])
    try cluster.awaitAnswer()
    for _ in 1...2 { #expect(log.client.grpcAnswer(to: [log.keys.tailRange]) != nil) }
  }

  @Test func `a reader goes on when its member is killed, and when it hangs`() throws {
    let cluster = try EtcdCluster(size: 3)
    let log = try cluster.log()
    let reader = try cluster.log(
      timeouts: EtcdTimeouts(attempt: .milliseconds(500), call: .seconds(30))
    )
    defer { [log, reader].forEach { $0.close() } }
    try append(60, bytes: 100, to: log)
    var position = LogPosition.start
    for signal in [nil, SIGSTOP, nil, SIGKILL] {
      if let signal { cluster.servers[reader.client.preferred].signal(signal) }
      let found = try reader.entries(after: position, limit: 10, waitingUpTo: Patience.limit)
      position = try #require(found.last).position
      for server in cluster.servers { server.signal(SIGCONT) }
    }
    while position < LogPosition(60) {
      let found = try reader.entries(after: position, limit: 10, waitingUpTo: Patience.limit)
      position = try #require(found.last).position
    }
  }
}
