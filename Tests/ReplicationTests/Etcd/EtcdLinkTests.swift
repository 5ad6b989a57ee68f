import EtcdSupport
import Foundation
import Testing
import TestSupport
import WellspringSystem

@testable import Replication

/// How a log treats members that hang, and slow links.
@Suite(.serialized, .patient) struct EtcdLinkTests {
  /// Appends entries of some size, and returns the last position.
  private func append(
    _ count: Int,
    bytes: Int,
    to log: EtcdLog,
    after tail: LogPosition = .start
  ) throws -> LogPosition {
    var tail = tail
    for number in 0..<count {
      let entry = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: bytes)
      #expect(try log.append(entry, expecting: tail) == .appended(tail.next))
      tail = tail.next
    }
    return tail
  }

  @Test func `a reader catches up at full speed when the member that it watches hangs`() throws {
    let cluster = try EtcdCluster(size: 3)
    let writer = try cluster.log()
    let reader = try cluster.log(
      timeouts: EtcdTimeouts(attempt: .milliseconds(500), call: .seconds(30))
    )
    defer { [writer, reader].forEach { $0.close() } }
    var tail = try append(1, bytes: 10, to: writer)
    // The first endpoint is watched from then on.
    var position = LogPosition.start
    while position < tail {
      position = try reader.entries(after: position, limit: 1, waitingUpTo: .seconds(9)).last!
        .position
    }
    #expect(try reader.entries(after: position, limit: 1, waitingUpTo: .milliseconds(50)) == [])
    cluster.servers[0].signal(SIGSTOP)
    defer { cluster.servers[0].signal(SIGCONT) }
    let patient = try EtcdLog(
      endpoints: Array(cluster.endpoints.dropFirst()),
      database: "db",
      timeouts: .patient
    )
    defer { patient.close() }
    tail = try append(450, bytes: 10, to: patient, after: tail)
    // A node waits for less than the time after which a watch counts as silent. Each wait for the
    // member that hangs takes a second: there must be one or two waits, and not one wait for each
    // of the ninety reads.
    let start = ContinuousClock.now
    while position < tail {
      let found = try reader.entries(after: position, limit: 5, waitingUpTo: .seconds(1))
      position = found.last?.position ?? position
    }
    #expect(.now - start < .seconds(60))
  }

  @Test func `a log that refuses watches is not asked for one all the time`() throws {
    let cluster = try EtcdCluster()
    let proxy = try SpoilingProxy(cluster.endpoints[0], word: "never")
    proxy.refuseWatches()
    defer { proxy.end() }
    let writer = try cluster.log()
    let log = try EtcdLog(endpoints: [proxy.url], database: "db", timeouts: .patient)
    defer { [writer, log].forEach { $0.close() } }
    #expect(try log.entries(after: .start, limit: 1, waitingUpTo: .seconds(3)) == [])
    // After 1 and 2 attempts at once: pauses of 80, 160, 320, 640 and 1,000 milliseconds.
    #expect(proxy.watchCount <= 8)
    #expect(proxy.watchCount >= 2)
    // It reads nevertheless.
    _ = try append(1, bytes: 10, to: writer)
    let found = try log.entries(after: .start, limit: 1, waitingUpTo: Patience.limit)
    #expect(found.count == 1)
  }

  @Test func `the next entries are read while the reader repeats those before them`() throws {
    let cluster = try EtcdCluster()
    let log = try cluster.log()
    let reader = try cluster.log(timeouts: EtcdTimeouts(call: .seconds(3)))
    defer { [log, reader].forEach { $0.close() } }
    _ = try append(10, bytes: 10, to: log)
    let first = try reader.entries(after: .start, limit: 4, waitingUpTo: .seconds(1))
    #expect(first.map(\.position.sequence) == [1, 2, 3, 4])
    let began = try #require(reader.takeReadAhead().first)
    #expect(began.entries()?.entries.map(\.position.sequence) == [5, 6, 7, 8])
    // Two reads: while one answer is on its way, the server makes the other one.
    let ahead = [began, EtcdReadAhead(after: LogPosition(8), count: 4, of: reader)]
    #expect(ahead[1].entries()?.entries.map(\.position.sequence) == [9, 10])
    reader.keep(ahead)
    cluster.servers[0].kill()
    // A reader that wants fewer entries gets the first ones. A reader at another place gets none of
    // them.
    #expect(throws: ReplicationLogError.self) {
      try reader.entries(after: LogPosition(5), limit: 4, waitingUpTo: .seconds(1))
    }
    reader.keep(ahead)
    var next = try reader.entries(after: LogPosition(4), limit: 4, waitingUpTo: .seconds(1))
    next += try reader.entries(after: LogPosition(8), limit: 4, waitingUpTo: .seconds(1))
    #expect(next.map(\.position.sequence) == [5, 6, 7, 8, 9, 10])
    reader.keep(ahead)
    next = try reader.entries(after: LogPosition(4), limit: 3, waitingUpTo: .seconds(1))
    #expect(next.map(\.position.sequence) == [5, 6, 7])
    // Entries without a usable read-ahead are read again. The server is gone, so this is an error.
    #expect(throws: ReplicationLogError.self) {
      try reader.entries(after: LogPosition(7), limit: 4, waitingUpTo: .seconds(1))
    }
  }

  @Test func `a server that takes a request and says nothing is silent after the time for that`()
    throws
  {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    let port = TestPort.reserve()
    #expect(Loopback.withAddress(port) { bind(listener, $0, $1) } == 0)
    // The kernel makes connections and takes requests, which no process reads.
    #expect(listen(listener, 4) == 0)
    let connection = try #require(HTTPConnection())
    let request = HTTPRequest(
      url: "http://127.0.0.1:\(port)/",
      body: Array("{}".utf8),
      connectTimeout: .seconds(30)
    )
    let start = MonotonicClock.now
    do throws(HTTPFailure) {
      _ = try connection.send(request, quiet: .seconds(4), until: .max) { false }
      Issue.record("there is an answer")
    } catch {
      guard case .silent = error else { throw error }
    }
    // The time begins when the request was sent, and not when the wait after that has ended.
    let seconds = Double(MonotonicClock.now - start) / 1e9
    #expect((4..<7.5).contains(seconds), "\(seconds)")
  }

  @Test func `a slow link brings entries that it could not bring in one answer`() throws {
    let cluster = try EtcdCluster()
    let writer = try cluster.log()
    let tail = try append(40, bytes: 100_000, to: writer)
    // All entries, in base64, take 13 seconds.
    let link = try SlowLink(cluster.endpoints[0], bytesPerSecond: 400_000)
    defer { link.end() }
    let reader = try EtcdLog(
      endpoints: [link.url],
      database: "db",
      timeouts: EtcdTimeouts(attempt: .seconds(3), call: .seconds(6))
    )
    defer { [writer, reader].forEach { $0.close() } }
    var found: [LogEntry] = []
    while found.count < tail.sequence {
      let last = found.last?.position ?? .start
      found += try reader.entries(after: last, limit: 64, waitingUpTo: .seconds(1))
    }
    #expect(found.map(\.bytes.first) == (0..<40).map { UInt8($0) })
    // No entry was fetched twice, so at least half of the link's rate was of use.
    #expect(link.receivedBytes < 2 * 40 * 100_000 * 4 / 3)
  }

  @Test func `a large entry goes over a slow link in one attempt`() throws {
    let cluster = try EtcdCluster()
    // The link of 1.5 Mbit/s takes 6 seconds, twice as long as a server may be quiet.
    let link = try SlowLink(cluster.endpoints[0], bytesPerSecond: 187_500)
    defer { link.end() }
    let log = try EtcdLog(
      endpoints: [link.url],
      database: "db",
      timeouts: EtcdTimeouts(attempt: .seconds(3), call: .seconds(60))
    )
    defer { log.close() }
    _ = try append(1, bytes: 10, to: log)
    let tail = try append(1, bytes: 850_000, to: log, after: LogPosition(1))
    #expect(tail == LogPosition(2))
    // A watch waits for the end of an entry that is on its way, instead of reading it again.
    let reader = try EtcdLog(
      endpoints: [link.url],
      database: "db",
      timeouts: EtcdTimeouts(attempt: .seconds(3), call: .seconds(60))
    )
    defer { reader.close() }
    #expect(try reader.entries(after: tail, limit: 1, waitingUpTo: .milliseconds(100)) == [])
    let before = link.receivedBytes
    let writer = try cluster.log()
    defer { writer.close() }
    _ = try append(1, bytes: 850_000, to: writer, after: tail)
    var found: [LogEntry] = []
    while found.isEmpty {
      found = try reader.entries(after: tail, limit: 1, waitingUpTo: .seconds(1))
    }
    #expect(found.map(\.bytes.count) == [850_000])
    #expect(link.receivedBytes - before < 2 * 850_000)
  }
}
