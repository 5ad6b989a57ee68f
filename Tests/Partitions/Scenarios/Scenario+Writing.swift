import Foundation

extension Scenario {
  static let writing = [
    Scenario(name: "`.local`: the log is away for two seconds, and 160 callers wait") { lab in
      try pausedOutbox(lab)
    },
    Scenario(name: "`.local`: a failover discards commits, and each caller is told so") { lab in
      try discardedOutbox(lab)
    },
    Scenario(name: "`.local`: an answer does not wait for a busy writer", run: busyOutbox),
    cutOff(.both),
    cutOff(.outgoing),
    cutOff(.incoming),
    Scenario(name: "wall clocks step by an hour, and writes go on", run: steppedClocks),
    Scenario(name: "etcd is gone for 8 s, and the primary continues") { lab in
      try outage(lab, killsPrimary: false)
    },
    Scenario(name: "etcd is gone before a primary has the answer to its last write", run: ownEntry),
    Scenario(name: "etcd and the primary are gone, and another node becomes the primary") { lab in
      try outage(lab, killsPrimary: true)
    },
  ]

  private static func steppedClocks(_ lab: ScenarioLab) throws -> String {
    let (one, two) = try twoNodes(lab)
    let epoch = try one.status().epoch
    var longest = 0.0
    var silence = 0.0
    var next = 2
    for (node, isForward) in [(one, true), (two, true), (one, false), (two, false), (one, false)] {
      node.stepClock(forward: isForward)
      // Longer than heartbeats and the silence of a watch take.
      let end = seconds + 4
      while seconds < end {
        let results = try one.write(WriteOrder(first: next))
        longest = max(longest, results.map(\.milliseconds).max() ?? 0)
        next += 1
        try two.awaitRows(Array(1..<next), limit: .seconds(2))
        for node in [one, two] { silence = max(silence, try node.status().lastContact ?? 0) }
      }
    }
    try require(longest < 1_000, "a write takes \(longest) ms")
    // A pause without writes: heartbeats alone show that the log is there.
    let start = seconds
    try waiting(for: "heartbeats", limit: .seconds(20)) {
      for node in [one, two] {
        let status = try node.status()
        silence = max(silence, status.lastContact ?? 0)
        try require(status.claimsKnowledge, "\(node.host.name) has lost the log: \(status)")
      }
      return seconds - start > 8 ? () : nil
    }
    try require(silence < 3, "a node has not heard of the log for \(text(silence))")
    try require(try one.status().epoch == epoch, "there was an election")
    return "\(next - 1) writes, of \(Int(longest)) ms at most, and \(text(silence)) without contact"
  }

  // MARK: Commits before the log

  private static func ids(_ results: [WriteResult], _ outcome: WriteResult.Outcome) -> [Int] {
    results.filter { $0.outcome == outcome }.map(\.id)
  }

  private static func pausedOutbox(_ lab: ScenarioLab) throws -> String {
    let (one, two) = try twoNodes(lab) { $0.isLocal = true }
    let order = WriteOrder(first: 2, count: 2_000, callers: 160)
    let writes = try one.send(.write(order))
    try waiting(for: "the first rows") { try two.rows().count > 100 ? () : nil }
    lab.network.cut(one.host, from: lab.members.hosts)
    let start = seconds
    try waiting(for: "two seconds of silence") { seconds - start > 2 ? () : nil }
    try lab.heal()
    let results = try one.answer(to: writes).writes ?? []
    try waiting(for: "an empty outbox") { try one.status().outbox == 0 ? () : nil }
    let rows = Set(try one.rows())
    try two.awaitRows(rows.sorted())
    for result in results {
      // The primacy stays, so that the log gets the commits in the file.
      let isExpected =
        switch result.outcome {
        case .acknowledged, .notLogged: rows.contains(result.id)
        case .refused: !rows.contains(result.id)
        case .unknown, .discarded: false
        }
      try require(isExpected, "write \(result.id) is \(result)")
    }
    let longest = (results.map(\.milliseconds).max() ?? 0) / 1_000
    return "\(ids(results, .acknowledged).count) of \(results.count) acknowledged, after "
      + "\(text(longest)) at most"
  }

  private static func discardedOutbox(_ lab: ScenarioLab) throws -> String {
    let one = try lab.start(1) { ($0.isLocal, $0.store) = (true, lab.store) }
    _ = try lab.awaitPrimary(of: [one])
    try one.write(WriteOrder(first: 1))
    let two = try lab.start(2) { ($0.isLocal, $0.store) = (true, lab.store) }
    try two.awaitRows([1])
    lab.network.cut(one.host, from: lab.members.hosts)
    // These writes return at once. The writes after them wait for the log.
    try one.write(WriteOrder(first: 101, count: 20, waitsForLog: false))
    let writes = try one.send(.write(WriteOrder(first: 201, count: 5, callers: 5)))
    _ = try lab.awaitPrimary(of: [two])
    try two.write(WriteOrder(first: 2))
    try lab.heal()
    let results = try one.answer(to: writes).writes ?? []
    try one.awaitRows([1, 2])
    try two.awaitRows([1, 2])
    for result in results {
      let isRight = result.outcome == .notLogged || result.outcome == .discarded
      try require(isRight, "write \(result.id) is \(result)")
    }
    let status = try one.status()
    guard let path = status.discardedCommits else {
      throw ScenarioFailure(description: "no file has the discarded commits: \(status)")
    }
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    // Writes that came together are one commit.
    let ids = Array(101...120) + Array(201...205)
    let missing = ids.filter { id in !lines.contains { $0.contains("item row \(id) ") } }
    try require(missing.isEmpty, "the file of discarded commits lacks \(missing)")
    return "25 rows are in a file, the answers are "
      + Set(results.map(\.outcome.rawValue)).sorted().joined(separator: ", ")
  }

  private static func busyOutbox(_ lab: ScenarioLab) throws -> String {
    let (one, two) = try twoNodes(lab) { $0.isLocal = true }
    let busy = try one.send(
      .write(WriteOrder(first: 10_000, count: 20_000, callers: 2, waitsForLog: false))
    )
    let results = try one.write(WriteOrder(first: 2, count: 100))
    let times = results.map(\.milliseconds).sorted()
    try require(times[times.count - 1] < 1_000, "an answer takes \(times.last ?? 0) ms")
    let writes = try one.answer(to: busy).writes ?? []
    let rows = Set(try one.rows())
    try require(rows.count == 101 + ids(writes, .acknowledged).count, "rows are missing")
    try two.awaitRows(rows.sorted())
    return "\(Int(times[50])) ms, \(Int(times[99])) ms at most"
  }

  // MARK: A primary that is cut off

  /// Callers of a primary that is cut off have their answers before the next election is over.
  private static func cutOff(_ direction: PartitionNetwork.Direction) -> Scenario {
    Scenario(name: "callers of a primary that is cut off, \(direction.rawValue)") { lab in
      let nodes = [try lab.start(1), try lab.start(2)]
      let one = try lab.awaitPrimary(of: nodes)
      try one.write(WriteOrder(first: 1))
      guard let other = nodes.first(where: { $0 !== one }) else { return "" }
      try other.awaitRows([1])
      let writes = try one.send(
        .write(WriteOrder(first: 2, count: 1_000_000, callers: 4, errorLimit: 20))
      )
      try waiting(for: "writes") { try other.rows().count > 200 ? () : nil }
      let start = seconds
      lab.network.cut(one.host, from: lab.members.hosts, direction)
      let results = try one.answer(to: writes).writes ?? []
      let late = results.filter { $0.end > start }
      let longest = (late.map(\.milliseconds).max() ?? 0) / 1_000
      try require(longest < 5.3, "a caller waits for \(text(longest))")
      let end = late.filter { $0.outcome != .acknowledged }.map(\.end).min() ?? start
      let after = late.filter { $0.end > end + 1.5 }
      try require(
        after.allSatisfy { $0.milliseconds < 200 },
        "a later caller waits for \(after.map(\.milliseconds).max() ?? 0) ms"
      )
      _ = try lab.awaitPrimary(of: [other])
      try other.write(WriteOrder(first: 2_000_000))
      try lab.heal()
      try waiting(for: "equal rows") { try one.rows() == other.rows() ? () : nil }
      let rows = Set(try one.rows())
      let lost = ids(results, .acknowledged).filter { !rows.contains($0) }
      try require(lost.isEmpty, "acknowledged writes are lost: \(lost)")
      let present = ids(results, .refused).filter { rows.contains($0) }
      try require(present.isEmpty, "refused writes are there: \(present)")
      return "a caller waits for \(text(longest)) at most; \(ids(results, .unknown).count) unknown"
    }
  }

  // MARK: No etcd

  private static func outage(_ lab: ScenarioLab, killsPrimary: Bool) throws -> String {
    let nodes = [try lab.start(1), try lab.start(2)]
    let one = try lab.awaitPrimary(of: nodes)
    try one.write(WriteOrder(first: 1))
    for node in nodes { try node.awaitRows([1]) }
    for host in lab.members.hosts { lab.members.kill(host) }
    let rest = killsPrimary ? nodes.filter { $0 !== one } : nodes
    if killsPrimary { one.kill() }
    let (primary, time) = try primaryAfterOutage(lab, of: rest)
    try primary.write(WriteOrder(first: 2))
    for node in rest { try node.awaitRows([1, 2]) }
    return "a primary \(text(time)) after etcd has a leader"
  }

  /// A node that reads its own entry waits for no other primary.
  private static func ownEntry(_ lab: ScenarioLab) throws -> String {
    let (one, two) = try twoNodes(lab)
    lab.network.cut(one.host, from: lab.members.hosts, .incoming)
    let write = try one.send(.write(WriteOrder(first: 2)))
    try two.awaitRows([1, 2], limit: .seconds(3))
    for host in lab.members.hosts { lab.members.kill(host) }
    // Until then, the kernel of a member would deliver the bytes that the member has sent.
    let result = try one.answer(to: write).writes?.first
    try lab.network.heal()
    try require(result?.outcome == .unknown, "the write is \(result.map { "\($0)" } ?? "?")")
    let (primary, time) = try primaryAfterOutage(lab, of: [one])
    try primary.write(WriteOrder(first: 3))
    for node in [one, two] { try node.awaitRows([1, 2, 3]) }
    return "a primary \(text(time)) after etcd has a leader"
  }

  /// Starts etcd again when it was gone for longer than an election takes, and waits for a primary.
  private static func primaryAfterOutage(
    _ lab: ScenarioLab,
    of nodes: [ServedNode]
  ) throws -> (ServedNode, Double) {
    let start = seconds
    try waiting(for: "the end of an outage") { seconds - start > 8 ? () : nil }
    try lab.members.heal()
    try lab.members.awaitLeader()
    let back = seconds
    let primary = try lab.awaitPrimary(of: nodes, limit: .seconds(10))
    let time = seconds - back
    // Half of an election timeout. An outage put the election off by a whole one before.
    try require(time < 2.5, "a primary comes after \(text(time))")
    return (primary, time)
  }
}
