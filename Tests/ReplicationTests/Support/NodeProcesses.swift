import EtcdSupport
import Foundation
import Replication
import Storage
import Testing
import TestSupport
import WellspringSystem

/// Nodes in processes of their own, over etcd, which a test kills and stops.
///
/// Its calls block, and its owner uses it on one thread at a time.
final class NodeProcesses: @unchecked Sendable {
  /// An event that did not come in time.
  struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  let cluster: EtcdCluster
  let names: [String]
  let directory: String
  private let database = UUID().uuidString
  private let notes: [String: NodeNotes]
  private var processes: [String: pid_t] = [:]
  private var starts = 0
  private let isLocal: Bool
  private let writers: Int

  init(_ names: [String], servers: Int, isLocal: Bool = false, writers: Int = 1) throws {
    self.names = names
    self.isLocal = isLocal
    self.writers = writers
    cluster = try EtcdCluster(size: servers)
    let directory = NSTemporaryDirectory() + "wellspring-nodes-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    self.directory = directory
    notes = Dictionary(
      uniqueKeysWithValues: names.map { ($0, NodeNotes(path: "\(directory)/\($0).notes")) }
    )
  }

  deinit {
    for name in names { kill(name) }
    try? FileManager.default.removeItem(atPath: directory)
  }

  // MARK: Processes

  /// Where the snapshots of the nodes are kept.
  var snapshots: String { "\(directory)/snapshots" }

  private func program(_ name: String) -> NodeProgram {
    NodeProgram(
      name: name,
      path: "\(directory)/\(name).sqlite",
      endpoints: cluster.endpoints,
      database: database,
      firstNumber: starts * 10_000_000,
      notes: notes[name]?.path ?? "",
      stop: "\(directory)/stop",
      snapshots: snapshots,
      isLocal: isLocal,
      writers: writers,
      parent: getpid()
    )
  }

  /// The log of the nodes.
  func log() throws -> GateLog { try program(names[0]).log() }

  func start(_ name: String) throws {
    starts += 1
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
    let text = String(decoding: try JSONEncoder().encode(self.program(name)), as: UTF8.self)
    processes[name] = try Spawn.start(
      [program, "--testing-library", "swift-testing", "--filter", "NodeProgramMain"],
      environment: [NodeProgram.variable: text]
    )
  }

  /// The number of the process of a node.
  func process(_ name: String) -> pid_t? { processes[name] }

  func signal(_ signal: Int32, _ name: String) {
    if let process = processes[name] { Foundation.kill(process, signal) }
  }

  func kill(_ name: String) {
    guard let process = processes.removeValue(forKey: name) else { return }
    Foundation.kill(process, SIGKILL)
    Spawn.wait(for: process)
  }

  /// Whether the process of a node is gone.
  func hasEnded(_ name: String) -> Bool {
    guard let process = processes[name] else { return true }
    guard Spawn.hasEnded(process) else { return false }
    processes[name] = nil
    return true
  }

  /// Ends all processes, as services end.
  func end() throws {
    _ = FileManager.default.createFile(atPath: "\(directory)/stop", contents: nil)
    for (name, process) in processes {
      try wait("the end of \(name)") { Spawn.hasEnded(process) ? true : nil }
      processes[name] = nil
    }
  }

  /// Opens the files in this process.
  func openAll() async throws -> [ReplicatedDatabase] {
    var nodes: [ReplicatedDatabase] = []
    for name in names { nodes.append(try await program(name).open()) }
    return nodes
  }

  // MARK: Notes

  /// The notes of a node.
  func notes(_ name: String) throws -> [NodeProgram.Note] { try notes[name]?.all() ?? [] }

  /// A row that a node has acknowledged.
  struct Acknowledged: Hashable {
    let name: String
    let number: Int
    let epoch: Int64
    let sequence: Int64

    init?(_ note: NodeProgram.Note?, of name: String) {
      guard case .acknowledged(let number, let epoch, let sequence)? = note else { return nil }
      self.name = name
      self.number = number
      self.epoch = epoch
      self.sequence = sequence
    }
  }

  /// The rows that were acknowledged, in the order of the log.
  func acknowledged() throws -> [Acknowledged] {
    try names.flatMap { name in
      try notes(name).compactMap { Acknowledged($0, of: name) }
    }
    .sorted { $0.sequence < $1.sequence }
  }

  /// The acknowledged row that is the last one in the log.
  func lastAcknowledged() throws -> Acknowledged? {
    try names.compactMap { Acknowledged(try notes[$0]?.lastAcknowledged(), of: $0) }
      .max { $0.sequence < $1.sequence }
  }

  /// Waits until something is there.
  @discardableResult
  func wait<Value>(_ what: String, _ body: () throws -> Value?) throws -> Value {
    let deadline = ContinuousClock.now + Patience.limit
    while ContinuousClock.now < deadline {
      do {
        if let value = try body() { return value }
      } catch ReplicationLogError.unavailable {
        // A disk that hangs keeps etcd from answering, for longer than a call takes.
      }
      CurrentThread.pause(microseconds: 20_000)
    }
    let ends = try names.map { "\($0): \(try notes($0).suffix(3))" }
    throw Missing(description: "\(what) did not come in 60 s. \(ends.joined(separator: "; "))")
  }

  /// Waits for a row that is acknowledged after the acknowledged rows so far.
  @discardableResult
  func waitForWrite(after action: String) throws -> Acknowledged {
    let last = try lastAcknowledged()?.sequence ?? 0
    return try wait("a write after \(action)") {
      guard let newest = try lastAcknowledged(), newest.sequence > last else { return nil }
      return newest
    }
  }

  /// The node that has written last.
  func primary() throws -> Acknowledged { try wait("a primary", lastAcknowledged) }

  // MARK: Failures

  /// Stops the primary as SIGSTOP does until another node writes, and lets it continue.
  ///
  /// Returns when a write of it has thrown.
  func overtakePrimary() throws {
    let old = try primary()
    signal(SIGSTOP, old.name)
    let new = try wait("another primary than \(old.name)") {
      try acknowledged().last { $0.epoch > old.epoch && $0.name != old.name }
    }
    signal(SIGCONT, old.name)
    try wait("the refusal of a write of \(old.name)") {
      var isRefused = false
      for note in try notes(old.name) {
        switch note {
        case .refused: isRefused = true
        // Only a later primacy of it may come after the refusal.
        case .acknowledged(_, let epoch, _) where epoch <= old.epoch: isRefused = false
        case .acknowledged(_, let epoch, _):
          #expect(epoch >= new.epoch)
        }
      }
      return isRefused ? true : nil
    }
  }

  private func lastWrite(_ nodes: [ReplicatedDatabase]) async throws -> WriteToken {
    let deadline = ContinuousClock.now + Patience.limit
    while ContinuousClock.now < deadline {
      for node in nodes where node.status.role == .primary {
        do {
          return try await node.writeReturningToken { db in
            try db.execute(sql: "INSERT INTO t (node, number) VALUES ('end', 0)")
          }.token
        } catch is ReplicationError {
          continue
        }
      }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw Missing(description: "a last write did not come in 60 s: \(nodes.map(\.status))")
  }

  /// Expects one history: equal files, no row twice, and all acknowledged rows.
  func expectOneHistory() async throws {
    let acknowledged = try acknowledged()
    let nodes = try await openAll()
    let first = nodes[0]
    // Commits that only one file had are published or discarded before a write can be everywhere.
    let token = try await lastWrite(nodes)
    for node in nodes { try await node.wait(until: token, timeout: Patience.limit) }
    try expectEqual(nodes)
    let rows = try await first.read { db in
      try String.fetchAll(db, sql: "SELECT node || ' ' || number FROM t")
    }
    let distinct = Set(rows)
    #expect(distinct.count == rows.count)
    let missing = acknowledged.filter { !distinct.contains("\($0.name) \($0.number)") }
    #expect(missing == [])
    // After the first entry of an epoch comes no entry of an earlier epoch.
    #expect(acknowledged.map(\.epoch) == acknowledged.map(\.epoch).sorted())
    // Several writers share entries.
    if writers == 1 { #expect(Set(acknowledged.map(\.sequence)).count == acknowledged.count) }
    for node in nodes { try node.close() }
  }
}
