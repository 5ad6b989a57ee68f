import Foundation
import Replication
import Storage
import Testing
import TestSupport
import WellspringSystem

/// The invariants for any behavior of the network and the primaries: an acknowledged write is made
/// once, and any other write at most once.
@Suite(.patient) struct ForwardingInvariantTests {
  let nodes: TestNodes

  init() throws { nodes = try TestNodes() }

  private static let names = ["a", "b", "c"]

  private func open(
    _ name: String,
    _ promise: ReplicationPromise,
    _ log: MemoryLog
  ) async throws -> ReplicatedDatabase {
    var options = TestNodes.options(name)
    options.heartbeatInterval = .milliseconds(25)
    options.electionTimeout = .milliseconds(200)
    options.promise = promise
    // A node whose commits are discarded takes a snapshot.
    options.snapshots = .directory(nodes.directory.appendingPathComponent("snapshots").path)
    return try await nodes.open(name, log: log, options: options)
  }

  /// The outcomes of the writes.
  private struct Outcomes {
    var acknowledged: [Int] = []
    var wrong: [String] = []
  }

  @Test(arguments: Soak.seeds(20, inSuite: 2), [ReplicationPromise.logged, .local])
  func `each acknowledged write is made once, and each other one at most once`(
    seed: UInt64,
    promise: ReplicationPromise
  ) async throws {
    var open: [ReplicatedDatabase] = []
    let logs = Self.names.map { _ in MemoryLog(sharing: nodes.log) }
    for (name, log) in zip(Self.names, logs) {
      open.append(try await self.open(name, promise, log))
    }
    let network = FaultyNetwork(seed: seed)
    for (name, node) in zip(Self.names, open) { network.connect(node, at: name) }
    // Guards the nodes, which a part of the test replaces.
    let present = Lock(open)
    let outcomes = Lock(Outcomes())
    let count = Soak.size(400, inSuite: 40)
    let isOver = Lock(false)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<6 {
        group.addTask {
          var random = SeededGenerator(seed: seed &* 100 &+ UInt64(worker))
          for round in 0..<count {
            let number = round * 6 + worker
            let node = present.withLock { $0[random.number(below: 3)] }
            await write(number, node, network, outcomes)
          }
        }
      }
      let ending = Task {
        var logs = logs
        var random = SeededGenerator(seed: seed)
        while !isOver.withLock({ $0 }) {
          try await Task.sleep(for: .milliseconds(random.number(in: 100..<400)))
          let index = random.number(below: 3)
          let node = present.withLock { $0[index] }
          switch random.number(below: 3) {
          case 0:
            // The primary does not know the outcome of its next entry, and may lose the primacy.
            logs[index].faults.appending = [random.pick(from: [.answerLost, .requestLost, .late])]
          case 1: try? await node.resign()
          default:
            try await OwnThread.run { try node.close() }.value
            logs[index] = MemoryLog(sharing: nodes.log)
            let new = try await self.open(Self.names[index], promise, logs[index])
            network.connect(new, at: Self.names[index])
            present.withLock { $0[index] = new }
          }
        }
      }
      try await group.waitForAll()
      isOver.withLock { $0 = true }
      try await ending.value
    }
    await network.deliverAll()
    open = present.withLock { $0 }
    // A last write, which all nodes then contain.
    let last = try await WriteForwarder(open[0]) { try await network.base.send($0, $1) }
      .writeReturningToken(AddNumber(number: -1), timeout: Patience.limit).token
    for node in open { try await node.wait(until: last, timeout: Patience.limit) }
    try expectEqual(open)
    var made: [Int: Int] = [:]
    for number in try await open[0].numbers() { made[number, default: 0] += 1 }
    let result = outcomes.withLock { $0 }
    #expect(result.wrong == [])
    #expect(result.acknowledged.filter { made[$0] != 1 } == [])
    #expect(made.filter { $0.value > 1 } == [:])
    // Most writes must not end by their time.
    #expect(result.acknowledged.count > count * 3)
    for node in open { try node.close() }
  }

  private func write(
    _ number: Int,
    _ node: ReplicatedDatabase,
    _ network: FaultyNetwork,
    _ outcomes: Lock<Outcomes>
  ) async {
    let forwarder = WriteForwarder(node, attemptTimeout: .milliseconds(300)) {
      try await network.send($0, $1)
    }
    do {
      let output = try await forwarder.write(AddNumber(number: number), timeout: .seconds(20))
      outcomes.withLock { outcomes in
        outcomes.acknowledged.append(number)
        if output != number * 10 { outcomes.wrong.append("\(number) has the output \(output)") }
      }
    } catch ForwardingError.notShown {
      outcomes.withLock { $0.acknowledged.append(number) }
    } catch ForwardingError.notWritten, ForwardingError.outcomeUnknown {
      // At most once.
    } catch {
      outcomes.withLock { $0.wrong.append("\(number): \(error)") }
    }
  }
}

/// A network that loses requests and answers, delivers requests twice, and some of them late.
private final class FaultyNetwork: Sendable {
  struct Lost: Error {}

  let base = ForwardingNetwork()
  // Guards the choices, and the requests that arrive later.
  private let state: Lock<(random: SeededGenerator, late: [Task<Void, Never>])>

  init(seed: UInt64) { state = Lock((SeededGenerator(seed: seed), [])) }

  func connect(_ node: ReplicatedDatabase, at address: String) { base.connect(node, at: address) }

  func send(_ address: String, _ request: [UInt8]) async throws -> [UInt8] {
    let (fate, delay) = state.withLock {
      ($0.random.number(below: 10), $0.random.number(below: 500))
    }
    switch fate {
    case 0: throw Lost()
    case 1:
      _ = try await base.send(address, request)
      throw Lost()
    case 2:
      deliver(address, request, after: delay)
      throw Lost()
    case 3:
      deliver(address, request, after: delay)
      return try await base.send(address, request)
    case 4:
      async let other = base.send(address, request)
      let answer = try await base.send(address, request)
      _ = try await other
      return answer
    default: return try await base.send(address, request)
    }
  }

  private func deliver(_ address: String, _ request: [UInt8], after milliseconds: Int) {
    let task = Task { [base] in
      try? await Task.sleep(for: .milliseconds(milliseconds))
      _ = try? await base.send(address, request)
    }
    state.withLock { $0.late.append(task) }
  }

  /// Waits for the requests that arrive late.
  func deliverAll() async {
    for task in state.withLock({ $0.late }) { await task.value }
  }
}
