import EtcdSupport
import Foundation
import Replication
import Testing
import TestSupport

/// A log while members of etcd are killed and stopped.
@Suite(.serialized)
struct EtcdFailureTests {
  /// The results of a writer: the acknowledged entries, and the entries of unknown outcome.
  private struct Written: Sendable {
    var acknowledged: [LogEntry] = []
    var unknown: [LogEntry] = []
    var conflicts = 0
  }

  @Test func `soak: nothing acknowledged is lost while leaders die and stop`() async throws {
    let cluster = try EtcdCluster(size: 3)
    let writers = (1...2).map { writer in
      let log = Result { try cluster.log() }
      return (log: log, task: OwnThread.run { try Self.write(writer, to: log.get()) })
    }
    for round in 1...Soak.size(60, inSuite: 4) {
      guard let leader = try cluster.leader() else { continue }
      let before = try cluster.log()
      let tail = try before.tail()
      if round.isMultiple(of: 2) { leader.signal(SIGSTOP) } else { leader.kill() }
      // The log must work without the member.
      var reached = tail
      while reached.sequence < tail.sequence + 20 {
        let new = try before.entries(after: reached, limit: 20, waitingUpTo: .seconds(30))
        reached = new.last?.position ?? reached
      }
      before.close()
      if round.isMultiple(of: 2) { leader.signal(SIGCONT) } else { try cluster.restart(leader) }
    }
    for writer in writers { try writer.log.get().close() }
    var all: [LogEntry] = []
    for server in cluster.servers {
      // A member that was stopped may still have to learn who leads, and what it missed.
      let log = try EtcdLog(endpoints: [server.clientURL], database: "db", timeouts: .patient)
      let entries = try log.allEntries()
      #expect(entries.map(\.position.sequence) == Array(1...Int64(entries.count)))
      #expect(all.isEmpty || all == entries)
      all = entries
      log.close()
    }
    for writer in writers {
      let written = try await writer.task.value
      #expect(!written.acknowledged.isEmpty)
      for entry in written.acknowledged {
        #expect(all[Int(entry.position.sequence) - 1] == entry)
      }
      // An entry is in the log once, even if it was sent several times.
      let mine = all.filter { $0.bytes.first == written.acknowledged[0].bytes.first }
      #expect(Set(mine.map(\.bytes)).count == mine.count)
      #expect(mine.count <= written.acknowledged.count + written.unknown.count)
    }
  }

  private static func write(_ writer: Int, to log: EtcdLog) throws -> Written {
    var written = Written()
    var number = 0
    var tail = LogPosition.start
    while true {
      number += 1
      let bytes = Array("\(writer): \(number)".utf8)
      let outcome = Result { try log.append(bytes, expecting: tail) as AppendOutcome }
      switch outcome {
      case .success(.appended(let position)):
        written.acknowledged.append(LogEntry(position: position, bytes: bytes))
        tail = position
      case .success(.conflict(let position)):
        written.conflicts += 1
        tail = position
      case .success(.unknown):
        written.unknown.append(LogEntry(position: tail.next, bytes: bytes))
        tail = (try? log.tail()) ?? tail
      case .failure(let error):
        switch error as? ReplicationLogError {
        case .closed: return written
        case .unavailable: continue
        default: throw error
        }
      }
    }
  }

  @Test func `a majority that stops makes an append unknown, which the log then tells`() throws {
    let cluster = try EtcdCluster(size: 3)
    let log = try cluster.log(
      timeouts: EtcdTimeouts(attempt: .milliseconds(300), call: .seconds(2))
    )
    let patient = try cluster.log()
    defer { [log, patient].forEach { $0.close() } }
    #expect(try patient.append([1], expecting: .start) == .appended(LogPosition(1)))
    for server in cluster.servers { server.signal(SIGSTOP) }
    guard case .unknown = try log.append([2], expecting: LogPosition(1)) else {
      Issue.record("the outcome is known")
      return
    }
    #expect(throws: ReplicationLogError.self) { try log.tail() }
    for server in cluster.servers { server.signal(SIGCONT) }
    let tail = try patient.tail()
    let outcome = try patient.append([3], expecting: tail)
    #expect(outcome == .appended(tail.next) || outcome == .conflict(tail: LogPosition(2)))
    let entries = try patient.allEntries()
    #expect([[[1], [2], [3]], [[1], [3]], [[1], [2]]].contains(entries.map(\.bytes)))
  }

  @Test func `a reader goes on when the member that it watches is stopped`() async throws {
    let cluster = try EtcdCluster(size: 3)
    let writer = try cluster.log()
    let reader = try cluster.log(
      timeouts: EtcdTimeouts(
        attempt: .milliseconds(500),
        call: .seconds(30),
        silence: .milliseconds(500)
      )
    )
    defer { [writer, reader].forEach { $0.close() } }
    _ = try writer.append([1], expecting: .start)
    // The first endpoint is watched.
    #expect(try reader.entries(after: .start, limit: 1, waitingUpTo: .seconds(9)).count == 1)
    #expect(
      try reader.entries(after: LogPosition(1), limit: 1, waitingUpTo: .milliseconds(600)) == []
    )
    cluster.servers[0].signal(SIGSTOP)
    defer { cluster.servers[0].signal(SIGCONT) }
    #expect(try writer.append([2], expecting: LogPosition(1)) == .appended(LogPosition(2)))
    let found = try reader.entries(after: LogPosition(1), limit: 1, waitingUpTo: .seconds(60))
    #expect(found.map(\.bytes) == [[2]])
  }

  @Test func `connections leave no descriptors and no threads`() throws {
    let cluster = try EtcdCluster()
    func rounds(_ count: Int) throws {
      for _ in 0..<count {
        let log = try cluster.log("leaks")
        _ = try log.entries(after: .start, limit: 1, waitingUpTo: .milliseconds(1))
        log.close()
      }
    }
    try rounds(10)
    let before = (Self.count("fd"), Self.count("task"))
    try rounds(1000)
    let after = (Self.count("fd"), Self.count("task"))
    // Other tests of the process have descriptors and threads too.
    #expect(after.0 < before.0 + 50)
    #expect(after.1 < before.1 + 50)
  }

  private static func count(_ kind: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(kind)").count) ?? 0
  }
}
