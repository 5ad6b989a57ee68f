import Foundation

extension Scenario {
  static let status = [
    Scenario(name: "ages are in the units that they claim", run: ages),
    Scenario(name: "nodes that are cut off in silence claim nothing that they do not know") { lab in
      try silence(lab) { lab, hosts in
        for host in hosts { lab.network.cut(host, from: lab.members.hosts) }
      }
    },
    Scenario(name: "nodes that hear etcd and are not heard claim nothing that they do not know") {
      lab in
      try silence(lab, isHeard: true) { lab, hosts in
        for host in hosts { lab.network.cut(host, from: lab.members.hosts, .outgoing) }
      }
    },
    Scenario(name: "nodes whose link is down claim nothing that they do not know") { lab in
      try silence(lab) { lab, hosts in for host in hosts { try lab.network.takeDown(host) } }
    },
    Scenario(name: "a node that is started without etcd serves reads") { lab in
      try restart(lab) { lab, host in lab.network.cut(host, from: lab.members.hosts) }
    },
    Scenario(name: "a node that is started while etcd is gone serves reads") { lab in
      try restart(lab) { lab, _ in for host in lab.members.hosts { lab.members.kill(host) } }
    },
    Scenario(name: "a read after waitForLatest is linearizable, and ends in time", run: latest),
  ]

  private static func ages(_ lab: ScenarioLab) throws -> String {
    let (one, two) = try twoNodes(lab) { $0.store = lab.store }
    lab.network.cut(two.host, from: lab.members.hosts)
    try one.ask(.trim)
    let start = seconds
    let first = try one.status().snapshotAge ?? .infinity
    try require(first < 5, "a new snapshot is \(first) s old")
    let aged = try two.awaitStatus("an age of two seconds") { $0.dataAge ?? 0 > 2 }
    let time = seconds - start
    // A heartbeat may have come a second before, and the clock of the status is read later.
    try require(aged.dataAge ?? 0 < time + 2, "content of \(time) s has the age \(aged)")
    let age = try one.status().snapshotAge ?? .infinity
    try require(age > time - 0.5 && age < time + 5, "a snapshot of \(time) s is \(age) s old")
    return "content is \(text(aged.dataAge ?? 0)) old, a snapshot \(text(age))"
  }

  /// Two of three nodes are cut off, and one of these was the primary.
  private static func silence(
    _ lab: ScenarioLab,
    isHeard: Bool = false,
    _ happen: (ScenarioLab, [Host]) throws -> Void
  ) throws -> String {
    let nodes = [try lab.start(1), try lab.start(2) { $0.mayBePrimary = false }, try lab.start(3)]
    let one = try lab.awaitPrimary(of: nodes)
    try one.write(WriteOrder(first: 1))
    for node in nodes { try node.awaitRows([1]) }
    for node in nodes { try node.awaitStatus("a known end of the log") { $0.lag == 0 } }
    guard let next = nodes.first(where: { $0 !== one && $0 !== nodes[1] }) else { return "" }
    let silent = [one, nodes[1]]
    try happen(lab, silent.map(\.host))
    let start = seconds
    var lastClaims = [0.0, 0.0]
    var lastPrimacy = 0.0
    var nextPrimacy: Double?
    try waiting(for: "the next primary", limit: .seconds(15)) {
      for (index, node) in silent.enumerated() {
        let status = try node.status()
        guard status.claimsKnowledge else { continue }
        lastClaims[index] = seconds - start
        if status.role == "primary" { lastPrimacy = seconds - start }
        let age = status.lastContact ?? .infinity
        try require(age < 5.2, "a node claims to know a log that it last heard \(text(age)) ago")
      }
      if nextPrimacy == nil, try next.status().role == "primary" { nextPrimacy = seconds - start }
      // As long as an old claim could come back.
      return nextPrimacy != nil && seconds - start > 8 ? () : nil
    }
    let claims = lastClaims.max() ?? 0
    let names = zip(silent, lastClaims).map { "\($0.host.name) \(text($1))" }
    // A node that hears etcd still knows for a while the entries that its watch delivers.
    try require(isHeard || claims < 5.4, "nodes claim to know the log until \(names)")
    try require(lastPrimacy < 5.4, "the old primary ends after \(text(lastPrimacy))")
    let overlap = max(0, lastPrimacy - (nextPrimacy ?? 0))
    try require(overlap < 1.1, "two nodes are the primary for \(text(overlap))")
    for node in silent {
      let status = try node.status()
      if isHeard, status.claimsKnowledge { continue }
      try require(status.lastContact ?? 0 > 5, "the last contact is \(status)")
      try require(
        status.lastError != nil && !status.isLastErrorOver,
        "there is no error: \(status)"
      )
    }
    try next.write(WriteOrder(first: 2))
    try lab.heal()
    for node in nodes { try node.awaitRows([1, 2]) }
    try one.awaitStatus("the end of the error") { $0.isLastErrorOver && $0.lag == 0 }
    return "claims until \(text(claims)), the primacy ends after \(text(lastPrimacy)), "
      + "the next one begins after \(text(nextPrimacy ?? 0))"
  }

  private static func restart(
    _ lab: ScenarioLab,
    _ happen: (ScenarioLab, Host) throws -> Void
  ) throws -> String {
    let (one, two) = try twoNodes(lab)
    two.kill()
    try happen(lab, two.host)
    let again = try lab.startUnopened(2) { $0.mayBePrimary = false }
    let opening = try again.ask(.open).milliseconds
    try require(opening < 1_000, "it opens after \(opening) ms")
    try require(try again.rows() == [1], "it has other rows")
    let status = try again.awaitStatus("a reason", limit: .seconds(8)) { $0.lastError != nil }
    try require(!status.claimsKnowledge && status.role == "replica", "it claims \(status)")
    try lab.heal()
    _ = try lab.awaitPrimary(of: [one])
    try one.write(WriteOrder(first: 2))
    try again.awaitRows([1, 2], limit: .seconds(10))
    return "open after \(Int(opening)) ms"
  }

  private static func latest(_ lab: ScenarioLab) throws -> String {
    let (one, two) = try twoNodes(lab)
    // Its entries come late, so that a read without the wait would show less.
    lab.network.spoil(two.host) { $0.delay = .milliseconds(30) }
    var time = 0.0
    for id in 2...20 {
      try one.write(WriteOrder(first: id))
      let answer = try two.ask(.waitForLatest(milliseconds: 5_000))
      try require(answer.rows == Array(1...id), "row \(id) is not there: \(answer.rows ?? [])")
      time += answer.milliseconds
    }
    // It is far behind, and its link is slow: where the log ends is known long before the rows.
    lab.network.cut(two.host, from: lab.members.hosts)
    try one.write(WriteOrder(first: 21, count: 100, size: 5_000))
    try lab.heal()
    lab.network.limit(two.host, bitsPerSecond: 2e6)
    let late = try two.ask(.waitForLatest(milliseconds: 30_000))
    try require(late.rows == Array(1...120), "it has \(late.rows?.count ?? 0) of 120 rows")
    lab.network.cut(two.host, from: lab.members.hosts)
    let start = seconds
    let answer = try two.answer(to: try two.send(.waitForLatest(milliseconds: 1_000)))
    try require(answer.error != nil, "a node that is cut off claims to have the latest")
    let limit = seconds - start
    try require(limit < 1.5, "a wait of 1 s takes \(text(limit))")
    return "\(Int(time / 19)) ms over a link with 30 ms each way, "
      + "\(text(late.milliseconds / 1_000)) far behind"
  }
}
