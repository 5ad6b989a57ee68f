import Foundation
import ReplicatedShop

/// Servers of etcd and three nodes, with what the nodes have reported.
actor Cluster {
  private enum Event: Sendable {
    case report(node: String, ShopReport)
    case ended(node: String, reason: String)
    case start(node: String)
    case killPrimary
    case stop
    case timeout
  }

  private let options: Options.ClusterOptions
  private let directory: URL
  private let servers: EtcdServers
  private let names = ["a", "b", "c"]
  private let events: AsyncStream<Event>
  private let happen: AsyncStream<Event>.Continuation
  private var nodes: [String: NodeProcess] = [:]
  private var primary: String?
  private var shown: [String: ShopSummary.Value] = [:]
  /// The sales that a node has reported as sold.
  private var sold: Set<Int64> = []
  private var resting: Set<String> = []
  private var isEnding = false

  /// Starts the servers.
  init(_ options: Options.ClusterOptions) throws {
    self.options = options
    directory = FileManager.default.temporaryDirectory
      .appending(path: "replicated-shop-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    (events, happen) = AsyncStream.makeStream()
    servers = try EtcdServers(options.servers, in: directory)
  }

  /// Runs the nodes until ``stop()``, and starts those again that are killed.
  func run() async throws {
    Main.say("The files are in \(directory.path).")
    Main.say("To stop a server of etcd: \(servers.commands.joined(separator: ", or "))")
    for name in names { try start(name) }
    let killer = Task { [killing = options.killing, happen] in
      while let killing {
        try await Task.sleep(for: .seconds(killing))
        happen.yield(.killPrimary)
      }
    }
    defer { killer.cancel() }
    for await event in events {
      if case .stop = event { return }
      try handle(event)
    }
  }

  /// Lets ``run()`` return.
  nonisolated func stop() { happen.yield(.stop) }

  private func start(_ name: String) throws {
    var options = Options.NodeOptions()
    options.name = name
    options.file = file(name).path
    options.endpoints = servers.endpoints
    options.snapshots = directory.appending(path: "snapshots").path
    let node = try NodeProcess(options) { [happen] report in
      happen.yield(.report(node: name, report))
    } didEnd: { [happen] reason in
      happen.yield(.ended(node: name, reason: reason))
    }
    nodes[name] = node
    if isEnding { node.rest() }
    say(name, "has started; to kill it: kill -9 \(node.process.processIdentifier)")
  }

  private func handle(_ event: Event) throws {
    switch event {
    case .report(let name, let report): note(report, of: name)
    case .ended(let name, let reason):
      nodes[name] = nil
      resting.remove(name)
      shown[name] = nil
      if primary == name { primary = nil }
      say(name, "\(reason). The others go on; it starts again in two seconds.")
      Task { [happen] in
        try await Task.sleep(for: .seconds(2))
        happen.yield(.start(node: name))
      }
    case .start(let name): if nodes[name] == nil { try start(name) }
    case .killPrimary: if let primary { nodes[primary]?.kill() }
    case .stop, .timeout: break
    }
  }

  private func note(_ report: ShopReport, of name: String) {
    switch report {
    case .sold(let id):
      // Its summary is shown too.
      sold.insert(id)
      return
    case .shows(let value):
      shown[name] = value
      if !value.isConsistent { say(name, "SHOWS SALES THAT ARE NOT COUNTED") }
    case .leads: primary = name
    case .follows, .stopped: if primary == name { primary = nil }
    case .rests: resting.insert(name)
    case .accepts, .failed: break
    }
    say(name, report.line)
  }

  private func say(_ name: String, _ text: String) {
    Main.say("\(name)\(primary == name ? "*" : " ") \(text)")
  }

  private func file(_ name: String) -> URL { directory.appending(path: "\(name).sqlite") }

  // MARK: The end

  /// Lets all nodes catch up, ends them, and compares their files.
  ///
  /// - Returns: What the comparison has shown.
  /// - Throws: ``ClusterError`` when the files differ, or a sale is lost or doubled.
  func end() async throws -> String {
    isEnding = true
    for node in nodes.values { node.rest() }
    for name in names where nodes[name] == nil { try start(name) }
    let timer = Task { [happen] in
      try await Task.sleep(for: .seconds(20))
      happen.yield(.timeout)
    }
    for await event in events {
      if case .timeout = event { throw ClusterError.notSettled(shown.mapValues(\.count)) }
      try handle(event)
      if isSettled { break }
    }
    timer.cancel()
    for node in nodes.values { node.end() }
    for node in nodes.values { node.process.waitUntilExit() }
    servers.end()
    let contents = try names.map { try ShopFile.content(of: file($0)) }
    guard contents.allSatisfy({ $0.dump == contents[0].dump }) else {
      throw ClusterError.filesDiffer(directory.path)
    }
    let lost = sold.subtracting(contents[0].sales)
    guard lost.isEmpty else { throw ClusterError.lost(lost.sorted(), directory.path) }
    guard contents[0].doubled.isEmpty else {
      throw ClusterError.doubled(contents[0].doubled, directory.path)
    }
    try? FileManager.default.removeItem(at: directory)
    return "The files of all nodes are equal: \(contents[0].sales.count) sales, "
      + "with all \(sold.count) that were reported as sold, and no order twice."
  }

  /// Whether all nodes show the same, with all sales, and sell no more.
  private var isSettled: Bool {
    resting.count == names.count && shown.count == names.count
      && Set(shown.values.map(\.count)).count == 1
      && (shown.values.first?.last?.id ?? 0) >= (sold.max() ?? 0)
  }

  /// Ends all processes.
  func kill() {
    for node in nodes.values { node.kill() }
    servers.end()
  }
}
