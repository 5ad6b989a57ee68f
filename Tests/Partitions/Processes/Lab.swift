import Foundation
import HistoryChecker
import Storage
import WellspringSystem

/// Three members of etcd and three nodes on six hosts.
///
/// Its owner uses it on the main thread, and must call ``end()``.
final class Lab {
  let network: PartitionNetwork
  let members: EtcdMembers
  let nodeHosts: [Host]
  let folder: String
  private let disks: [Host: LabDisk]
  /// The histories of all processes so far.
  private(set) var histories: [FollowedHistory] = []
  private var processes: [Host: LabProcess] = [:]
  /// The processes that slow other processes down.
  private var brakes: [LabProcess] = []
  /// Changes the program of each node that is started.
  private let adjust: (inout NodeProgram) -> Void

  init(
    seed: UInt64 = 1,
    startsNodes: Bool = true,
    adjust: @escaping (inout NodeProgram) -> Void = { _ in }
  ) throws {
    self.adjust = adjust
    let names = ["m1", "m2", "m3", "n1", "n2", "n3"]
    network = try PartitionNetwork(hosts: names, seed: seed)
    LabDisk.removeLeftovers()
    folder = NSTemporaryDirectory() + "\(LabProcess.prefix)\(getpid())-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    Cleanup.add(.removeFolder(folder))
    let place = folder
    disks = try Dictionary(
      uniqueKeysWithValues: network.hosts.map { ($0, try LabDisk(path: "\(place)/\($0.name)")) }
    )
    nodeHosts = Array(network.hosts.suffix(3))
    members = try EtcdMembers(on: Array(network.hosts.prefix(3)), folder: folder)
    if startsNodes {
      for host in nodeHosts { try start(host) }
      try awaitReady()
    }
  }

  /// Ends all, and removes it. The folder stays if it is needed to understand a failure.
  func end(keepsFolder: Bool = false) {
    for host in nodeHosts { kill(host) }
    members.end()
    network.remove()
    Cleanup.remove(.removeFolder(folder))
    for disk in disks.values { disk.remove(keepsFiles: keepsFolder) }
    if !keepsFolder { try? FileManager.default.removeItem(atPath: folder) }
  }

  // MARK: Nodes

  func path(_ host: Host) -> String { "\(folder)/\(host.name)/lab.sqlite" }

  private var quietFile: String { "\(folder)/quiet" }

  private func stopFile(_ host: Host) -> String { "\(folder)/\(host.name).stop" }

  /// Starts a node in a new process.
  func start(_ host: Host, adjust adjustMore: (inout NodeProgram) -> Void = { _ in }) throws {
    unlink(stopFile(host))
    let number = histories.count + 1
    let name = "\(host.name).\(number)"
    var program = NodeProgram(
      node: host.name,
      process: number,
      path: path(host),
      endpoints: members.endpoints(from: host.index),
      history: "\(folder)/\(name).history",
      quiet: quietFile,
      stop: stopFile(host)
    )
    adjust(&program)
    adjustMore(&program)
    let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
    let text = String(decoding: try JSONEncoder().encode(program), as: UTF8.self)
    processes[host] = try LabProcess(
      [executable, NodeProgram.argument, text],
      on: host,
      output: "\(folder)/\(host.name).log"
    )
    histories.append(FollowedHistory(name: name, host: host, path: program.history))
  }

  /// Ends the process of a node as a crash does.
  func kill(_ host: Host) { processes.removeValue(forKey: host)?.kill() }

  /// Sends a signal to the process of a node.
  func signal(_ signal: Int32, _ host: Host) { processes[host]?.signal(signal) }

  /// Leaves no room on the disk of a host.
  func fillDisk(of host: Host) throws { try disks[host]?.fill() }

  /// Ends all processes at once, as a power failure does.
  func killAll() {
    for host in nodeHosts { signal(SIGKILL, host) }
    for host in members.hosts { members.signal(SIGKILL, host) }
    for host in nodeHosts { kill(host) }
    for host in members.hosts { members.kill(host) }
  }

  /// Stops and continues a process all the time, as on a machine that does too much.
  func slowDown(_ host: Host) throws {
    let number = processes[host]?.number ?? members.number(host)
    guard let number, number != 0 else { return }
    let script = """
      while kill -STOP \(number); do sleep 0.2; kill -CONT \(number); sleep 0.02; done
      """
    brakes.append(
      try LabProcess(["sh", "-c", script], on: host, output: "\(folder)/\(host.name).brake.log")
    )
  }

  /// Asks the process of a node to end in order, once it writes no more.
  func stop(_ host: Host) {
    _ = FileManager.default.createFile(atPath: stopFile(host), contents: nil)
  }

  /// Waits until the process of a node has ended.
  func awaitEnd(_ host: Host) throws {
    try waiting(for: "the end of \(host.name)", limit: .seconds(90)) {
      processes[host]?.isRunning == true ? nil : ()
    }
    processes[host] = nil
  }

  /// Ends all that was done to the network, the members and the nodes.
  func heal() throws {
    for brake in brakes { brake.kill() }
    brakes = []
    for disk in disks.values { try disk.empty() }
    try network.heal()
    try members.heal()
    for host in nodeHosts {
      signal(SIGCONT, host)
      // It is about to end.
      if access(stopFile(host), F_OK) == 0 { try awaitEnd(host) }
      if processes[host]?.isRunning != true { try start(host) }
    }
  }

  // MARK: Histories

  /// Reads the new events of the histories.
  func update() { for history in histories { history.update() } }

  /// The history of the process that a host runs now.
  func history(_ host: Host) -> FollowedHistory? { histories.last { $0.host == host } }

  /// The node whose write was acknowledged last.
  func primary() throws -> Host {
    try waiting(for: "an acknowledged write") {
      update()
      return histories.filter { $0.lastAcknowledgement != nil }
        .max { ($0.lastAcknowledgement ?? 0) < ($1.lastAcknowledgement ?? 0) }?.host
    }
  }

  /// The times of all acknowledgements since some moment, in order.
  func acknowledgements(since time: UInt64) -> [UInt64] {
    histories.flatMap { history in
      history.events.reversed().prefix { $0.time >= time }.compactMap { event in
        if case .acknowledged = event.kind { event.time } else { nil }
      }
    }
    .sorted()
  }

  /// Waits for a write that is acknowledged from now on, and that all nodes show.
  func awaitReady(limit: Duration = .seconds(60)) throws {
    try members.awaitLeader()
    let start = MonotonicClock.now
    var wanted: Int?
    try waiting(for: "a write that all nodes show", limit: limit) {
      update()
      if wanted == nil, !acknowledgements(since: start).isEmpty {
        wanted = nodeHosts.compactMap { history($0)?.observedCount }.max().map { $0 + 1 }
      }
      guard let wanted else { return nil as Void? }
      return nodeHosts.allSatisfy { history($0)?.observedCount ?? 0 >= wanted } ? () : nil
    }
  }

  /// Ends the writes, then the nodes in order, and returns the histories and files for the checker.
  func finish() throws -> HistoryChecker {
    _ = FileManager.default.createFile(atPath: quietFile, contents: nil)
    try waiting(for: "the end of the writes") {
      update()
      return nodeHosts.allSatisfy { history($0)?.hasSaid("quiet") == true } ? () : nil
    }
    for host in nodeHosts { stop(host) }
    for host in nodeHosts { try awaitEnd(host) }
    update()
    for host in nodeHosts where history(host)?.hasSaid("closed") != true {
      throw LabError.overdue("the orderly end of \(host.name)")
    }
    return HistoryChecker(
      histories: histories.map { ProcessHistory(name: $0.name, events: $0.events) },
      files: try nodeHosts.map { try finalFile($0) }
    )
  }

  private func finalFile(_ host: Host) throws -> FinalFile {
    let database = try DatabaseQueue(path: path(host))
    defer { try? database.close() }
    return try database.read { db in
      FinalFile(
        node: host.name,
        ids: try Int.fetchAll(db, sql: "SELECT id FROM entry ORDER BY place"),
        rest: try String.fetchAll(
          db,
          sql: """
            SELECT 'schema ' || sql FROM sqlite_schema
              WHERE sql IS NOT NULL AND name NOT LIKE '_replication%' AND name NOT LIKE 'sqlite%'
            UNION ALL SELECT 'entry ' || place || ' ' || id || ' ' || hex(content) FROM entry
            UNION ALL SELECT 'tally ' || count || ' ' || last FROM tally
            UNION ALL SELECT 'newest ' || process || ' ' || id FROM newest
            ORDER BY 1
            """
        )
      )
    }
  }
}
