import Foundation

extension Scenario {
  static let operating = [
    Scenario(name: "etcd is restored from a backup, and a survivor continues", run: restored),
    Scenario(name: "etcd is made again, and nodes stop by name", run: madeAgain),
    Scenario(name: "a second process opens the file of a node", run: secondProcess),
    Scenario(name: "a store refuses uploads") { lab in
      try uploads(lab, .refusing, limit: 5, "")
    },
    Scenario(name: "a store never ends an upload") { lab in
      try uploads(lab, .hanging, limit: 4, "store of snapshots")
    },
  ]

  private static func restored(_ lab: ScenarioLab) throws -> String {
    var nodes: [ServedNode] = []
    for number in 1...3 { nodes.append(try lab.start(number) { $0.store = lab.store }) }
    // The first node has begun the history.
    _ = try lab.awaitPrimary(of: [nodes[0]])
    try nodes[0].write(WriteOrder(first: 1, count: 10))
    for node in nodes { try node.awaitRows(Array(1...10)) }
    // A new process: over a connection of the old process, the kernel would deliver the bytes that
    // a member had sent before the member was killed.
    nodes[2].kill()
    lab.network.cut(nodes[2].host, from: lab.members.hosts)
    nodes[2] = try lab.start(3) { $0.store = lab.store }
    let backup = "\(lab.lab.folder)/backup"
    try lab.members.backUp(to: backup)
    try nodes[0].write(WriteOrder(first: 11, count: 10))
    try nodes[1].awaitRows(Array(1...20))
    try lab.members.restore(from: backup)
    for node in nodes.prefix(2) {
      let status = try node.awaitStatus("the end") { $0.role == "stopped" }
      try require(status.reason?.contains("has lost entry") == true, "it says \(status)")
      try require(try node.rows() == Array(1...20), "reads show other rows")
      try node.ask(.close)
    }
    // It notices nothing, because it has no more than the backup.
    try lab.heal()
    let last = try lab.awaitPrimary(of: [nodes[2]])
    try last.write(WriteOrder(first: 77))
    let start = seconds
    let survivor = try lab.start(1) { ($0.store, $0.isSurvivor) = (lab.store, true) }
    try survivor.write(WriteOrder(first: 21))
    let second = try lab.start(2) { $0.store = lab.store }
    for node in [survivor, second, last] { try node.awaitRows(Array(1...21)) }
    let time = seconds - start
    let copies = try lab.files(of: 3, "-discarded-").filter { !$0.hasSuffix("-shm") }
      .filter { !$0.hasSuffix("-wal") }
    try require(copies.count == 1, "the copies of the last node are \(copies)")
    let rows = try ScenarioLab.rows(ofFile: copies[0])
    try require(rows == Array(1...10) + [77], "the copy has \(rows)")
    return "all equal \(text(time)) after the survivor was opened; what it has not is in a copy"
  }

  private static func madeAgain(_ lab: ScenarioLab) throws -> String {
    let (one, two) = try twoNodes(lab)
    try lab.members.remake()
    let start = seconds
    for node in [one, two] {
      let status = try node.awaitStatus("the end") { $0.role == "stopped" }
      try require(status.reason?.contains("different clusters") == true, "it says \(status)")
      try require(try node.rows() == [1], "reads show other rows")
    }
    return "stopped \(text(seconds - start)) after etcd has a leader"
  }

  private static func secondProcess(_ lab: ScenarioLab) throws -> String {
    let (one, two) = try twoNodes(lab)
    let second = try lab.startUnopened(3, path: lab.lab.path(two.host))
    defer { second.kill() }
    let answer = try second.answer(to: try second.send(.open))
    try require(
      answer.error?.contains("process \(two.number) ") == true,
      "the second process says \(answer.error ?? "nothing")"
    )
    try one.write(WriteOrder(first: 2))
    try two.awaitRows([1, 2])
    // Nothing of a killed process keeps the next process away.
    two.kill()
    let again = try lab.start(2) { $0.mayBePrimary = false }
    try one.write(WriteOrder(first: 3))
    try again.awaitRows([1, 2, 3])
    return answer.error ?? ""
  }

  /// The primary writes on, and asks the store after pauses that grow.
  private static func uploads(
    _ lab: ScenarioLab,
    _ store: NodeServer.Store,
    limit: Int,
    _ reason: String
  ) throws -> String {
    let one = try lab.start(1) { server in
      server.store = store
      server.entriesPerSnapshot = 20
      server.storeTimeout = 1_500
    }
    _ = try lab.awaitPrimary(of: [one])
    let start = seconds
    let results = try one.write(WriteOrder(first: 1, count: 900, pause: 8))
    let time = seconds - start
    let status = try one.status()
    // Without pauses, a store that refuses would get one upload in each second.
    let found = "\(status.uploads) uploads in \(text(time))"
    try require(time > 7 && status.uploads >= 2 && status.uploads <= limit, found)
    try require(status.role == "primary" && status.lastError != nil, "it says \(status)")
    try require(status.lastError?.contains(reason) == true || reason.isEmpty, "it says \(status)")
    let longest = results.map(\.milliseconds).max() ?? 0
    try require(longest < 1_000, "a write waits for \(longest) ms")
    return found + ", a write waits for \(Int(longest)) ms at most"
  }
}
