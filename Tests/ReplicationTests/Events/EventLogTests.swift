import Storage
import Testing
import TestSupport
import WellspringSystem

@testable import Replication

@Suite(.patient) struct EventLogTests {
  private final class Notes: ReplicationInstrument {
    let numbers = Lock<[Int64]>([])
    let statuses = AsyncStream.makeStream(of: ReplicationStatus.self)

    func record(_ event: ReplicationEvent) { numbers.withLock { $0.append(event.number) } }

    func record(_ status: ReplicationStatus) { statuses.continuation.yield(status) }
  }

  private func kinds(_ range: ClosedRange<Int64>) -> [ReplicationEvent.Kind] {
    range.map { .becamePrimary(epoch: $0) }
  }

  @Test func `a slow loop, a late one and an instrument get all events in order`() async {
    let notes = Notes()
    let log = EventLog([notes])
    let early = log.stream()
    log.note(kinds(1...300), at: 1)
    let late = log.stream()
    await withTaskGroup { group in
      for _ in 0..<4 { group.addTask { for _ in 0..<50 { log.note([.connected], at: 2) } } }
    }
    log.end()
    for stream in [early, late] {
      var numbers: [Int64] = []
      for await event in stream { numbers.append(event.number) }
      #expect(numbers == Array(1...500))
    }
    #expect(notes.numbers.withLock { $0 } == Array(1...500))
  }

  @Test func `a loop that begins after the end gets the last thousand events, and ends`() async {
    let log = EventLog([])
    log.note(kinds(1...1500), at: 1)
    log.end()
    log.note([.connected], at: 2)
    var numbers: [Int64] = []
    for await event in log.stream() { numbers.append(event.number) }
    #expect(numbers == Array(501...1500))
  }

  @Test func `while an instrument blocks, one status waits, and no event is left out`() async throws
  {
    let notes = BlockingNotes()
    let log = EventLog([notes])
    let status = NodeState(
      place: HistoryPosition(
        database: DatabaseID(),
        position: .start,
        epoch: 0,
        commit: 0,
        hash: EntryHash(of: [])
      ),
      epochs: EpochBeginnings(),
      primaryAddress: nil
    ).status(at: 0, lastContact: nil, hasStore: false, isSilent: false)
    for _ in 0..<50 { log.report(status) }
    log.note(kinds(1...50), at: 1)
    log.awaitDelivery(for: .milliseconds(1))
    #expect(notes.counts.withLock { $0 } == [0, 0])
    notes.mayGoOn.signal()
    log.end()
    log.awaitDelivery(for: Patience.limit)
    #expect(notes.counts.withLock { $0 } == [1, 50])
  }

  private final class BlockingNotes: ReplicationInstrument {
    let mayGoOn = MonotonicSemaphore()
    let counts = Lock([0, 0])

    func record(_ status: ReplicationStatus) {
      mayGoOn.wait()
      counts.withLock { $0[0] += 1 }
    }

    func record(_ event: ReplicationEvent) { counts.withLock { $0[1] += 1 } }
  }

  @Test func `the events of nodes tell a hand-over, and instruments get the status`() async throws {
    let nodes = try TestNodes()
    let notes = Notes()
    var options = TestNodes.options("a")
    options.statusInterval = .milliseconds(20)
    options.instruments = [notes]
    let a = try await nodes.open("a", options: options)
    try await a.waitForPrimacy()
    let b = try await nodes.open("b")
    try await a.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    try await b.catchUp(with: a)
    try await a.resign()
    try await b.waitForPrimacy()
    _ = try await a.waitForStatus("the next primary") { $0.primaryAddress == "b" }
    for await status in notes.statuses.stream where status.epoch == b.status.epoch { break }
    let (events, others) = (a.events, b.events)
    try a.close()
    try b.close()
    var ofA: [ReplicationEvent.Kind] = []
    for await event in events { ofA.append(event.kind) }
    let first = try #require(ofA.firstIndex(of: .becamePrimary(epoch: 1)))
    let end = try #require(ofA.firstIndex(of: .endedPrimacy(epoch: 1)))
    let next = try #require(ofA.firstIndex(of: .follows(address: "b", epoch: 2)))
    #expect(first < end && end < next)
    var ofB: [ReplicationEvent.Kind] = []
    for await event in others { ofB.append(event.kind) }
    #expect(ofB.contains(.connected) && ofB.contains(.becamePrimary(epoch: 2)))
  }
}
