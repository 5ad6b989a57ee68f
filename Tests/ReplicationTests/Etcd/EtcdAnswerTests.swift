import EtcdSupport
import Foundation
import Testing
import TestSupport

@testable import Replication

/// How a log in etcd treats answers that are lost, cut, damaged or not its own.
@Suite(.serialized, .patient)
struct EtcdAnswerTests {
  /// For answers that never come.
  private static let impatient = EtcdTimeouts(attempt: .milliseconds(500), call: .seconds(1))

  /// A log through a proxy that spoils the requests with a word, and one without the proxy.
  private static func logs(
    _ cluster: EtcdCluster,
    spoiling word: String,
    timeouts: EtcdTimeouts = impatient
  ) throws -> (proxy: SpoilingProxy, spoiled: EtcdLog, right: EtcdLog) {
    let name = UUID().uuidString
    let proxy = try SpoilingProxy(cluster.servers[0].clientURL, word: word)
    let spoiled = try EtcdLog(endpoints: [proxy.url], database: name, timeouts: timeouts)
    return (proxy, spoiled, try cluster.log(name))
  }

  @Test(arguments: SpoilingProxy.Fault.allCases)
  func `an append with a spoiled answer is never told wrongly`(fault: SpoilingProxy.Fault) throws {
    let cluster = try EtcdCluster()
    let (proxy, log, right) = try Self.logs(
      cluster,
      spoiling: "requestPut",
      timeouts: fault == .doubled ? .patient : Self.impatient
    )
    defer {
      proxy.end()
      log.close()
      right.close()
    }
    var tail = LogPosition.start
    var acknowledged: [LogEntry] = []
    var sent: [[UInt8]] = []
    for number in 1...Soak.size(600, inSuite: 12) {
      let bytes = Array("entry \(number)".utf8)
      sent.append(bytes)
      // Every second append is spoiled, once or for as long as its call takes.
      let times = number.isMultiple(of: 6) ? 30 : 1
      proxy.spoil(number.isMultiple(of: 2) ? Array(repeating: fault, count: times) : [])
      switch Result(catching: { try log.append(bytes, expecting: tail) as AppendOutcome }) {
      case .success(.appended(let position)):
        #expect(position == tail.next)
        acknowledged.append(LogEntry(position: position, bytes: bytes))
      case .success(.conflict):
        // Nothing else writes: a late entry of before, an answer with a wrong bit, or one to
        // another request.
        #expect([.bitFlipped, .late, .otherAnswer].contains(fault), "entry \(number)")
      case .success(.unknown): #expect(fault != .doubled, "entry \(number)")
      case .failure(let error):
        // A call that throws has stored nothing.
        #expect(try right.tail() == tail, "entry \(number): \(error)")
      }
      tail = try right.tail()
    }
    proxy.spoil([])
    #expect(proxy.count >= 6)
    let entries = try right.allEntries()
    #expect(entries.map(\.position.sequence) == Array(1...Int64(entries.count)))
    #expect(Set(entries.map(\.bytes)).count == entries.count)
    #expect(Set(entries.map(\.bytes)).isSubset(of: sent))
    let lies = acknowledged.filter { entries[Int($0.position.sequence) - 1] != $0 }
    #expect(lies == [])
    #expect(acknowledged.count >= 3)
    // On a busy machine, an answer can come too late for its call, and in time for the next one.
    let end = ContinuousClock.now + Patience.limit
    var found: [LogEntry]?
    while found == nil, ContinuousClock.now < end { found = try? log.allEntries() }
    #expect(found == entries)
  }

  @Test(arguments: SpoilingProxy.Fault.allCases)
  func `a history with spoiled answers is read rightly, or the fault has a name`(
    fault: SpoilingProxy.Fault
  ) throws {
    let cluster = try EtcdCluster()
    let (proxy, log, right) = try Self.logs(
      cluster,
      spoiling: "range_end",
      timeouts: EtcdTimeouts(attempt: .milliseconds(500), call: Patience.limit)
    )
    defer {
      proxy.end()
      log.close()
      right.close()
    }
    let begin = try beginHistory(in: right)
    var primacy = try wonPrimacy(of: right, after: begin, partLimit: 100)
    var written: [[UInt8]] = []
    for number in 1...20 {
      written.append(Array(repeating: UInt8(number), count: number * 20))
      _ = try primacy.commit(written[number - 1])
    }
    // The log notes the cluster.
    _ = try log.tail()
    var named = 0
    for _ in 1...Soak.size(300, inSuite: 10) {
      var follower = LogFollower(log, from: begin.last)
      var read: [[UInt8]] = []
      for _ in 0..<3 {
        proxy.spoil([fault])
        let steps: [LogFollower.Step]
        do throws(ReplicationError) {
          steps = try follower.next(limit: 7, waitingUpTo: .zero)
        } catch {
          named += 1
          continue
        }
        for step in steps where step.entry.kind == .commits {
          read += try EntryBatch.decode(step.entry.body).transactions
        }
        #expect(read.elementsEqual(written.prefix(read.count)))
      }
      proxy.spoil([])
      while read.count < written.count {
        let new = try follower.nextTransactions()
        #expect(!new.isEmpty)
        guard !new.isEmpty else { break }
        read += new
      }
      #expect(read == written)
    }
    #expect(proxy.count >= 10)
    if [.doubled, .requestLost].contains(fault) { #expect(named == 0) }
  }
}
