import Foundation

extension Scenario {
  static let catchingUp = [
    Scenario(name: "the member that a replica watches is cut off from it, in silence") { lab in
      try silentWatch(lab) { lab, member, replica in lab.network.cut(member, from: [replica]) }
    },
    Scenario(name: "the member that a replica watches hangs") { lab in
      try silentWatch(lab) { lab, member, _ in lab.members.signal(SIGSTOP, member) }
    },
    slowLink(megabits: 10, kilobytes: 60, count: 100),
    slowLink(megabits: 100, kilobytes: 450, count: 80),
    slowLink(megabits: 1.5, kilobytes: 1, count: 1_000),
    Scenario(name: "a primary writes rows of 400 kB over 1.5 Mbit/s, and stays the primary") {
      lab in
      let (one, _) = try twoNodes(lab)
      let epoch = try one.status().epoch
      lab.network.limit(one.host, bitsPerSecond: 1.5e6)
      let results = try one.write(WriteOrder(first: 2, count: 5, size: 400_000))
      let status = try one.status()
      try require(status.role == "primary" && status.epoch == epoch, "it is \(status)")
      return "each takes " + text((results.map(\.milliseconds).max() ?? 0) / 1_000) + " at most"
    },
  ]

  /// Starts two nodes that have one row. The first node is the primary, and no other node can be.
  static func twoNodes(
    _ lab: ScenarioLab,
    _ adjust: (inout NodeServer) -> Void = { _ in }
  ) throws -> (ServedNode, ServedNode) {
    let one = try lab.start(1, adjust)
    _ = try lab.awaitPrimary(of: [one])
    try one.write(WriteOrder(first: 1))
    let two = try lab.start(2) { server in
      adjust(&server)
      server.mayBePrimary = false
    }
    try two.awaitRows([1])
    return (one, two)
  }

  /// A replica reads 64 entries a second if it waits for a watch that is silent each time.
  private static func silentWatch(
    _ lab: ScenarioLab,
    _ happen: (ScenarioLab, Host, Host) throws -> Void
  ) throws -> String {
    let leader = try lab.members.awaitLeader()
    let others = lab.members.hosts.filter { $0 != leader }
    let watched = others[0]
    func endpoints(_ hosts: [Host]) -> [String] { hosts.map { "http://\($0.address):2379" } }
    let one = try lab.start(1) { $0.endpoints = endpoints([leader, others[1]]) }
    _ = try lab.awaitPrimary(of: [one])
    try one.write(WriteOrder(first: 1))
    let two = try lab.start(2) { server in
      server.endpoints = endpoints([watched, others[1], leader])
      server.mayBePrimary = false
    }
    try two.awaitRows([1])
    try happen(lab, watched, two.host)
    let count = 3_000
    try one.write(WriteOrder(first: 2, count: count))
    let end = seconds
    let status = try two.status()
    let behind = (try one.status()).applied - status.applied
    let rows = Array(1...(count + 1))
    try two.awaitRows(rows, limit: .seconds(5))
    return "\(behind) of \(count) entries behind, all read after \(text(seconds - end))"
  }

  /// A node that was away catches up at half of the rate of its link, at least.
  private static func slowLink(megabits: Double, kilobytes: Int, count: Int) -> Scenario {
    let link = megabits == 1.5 ? "1.5" : "\(Int(megabits))"
    let name = "a replica catches up over \(link) Mbit/s with \(count) rows of \(kilobytes) kB"
    return Scenario(name: name) { lab in
      let (one, two) = try twoNodes(lab)
      lab.network.cut(two.host, from: lab.members.hosts)
      try one.write(WriteOrder(first: 2, count: count, size: kilobytes * 1_000))
      try lab.heal()
      lab.network.limit(two.host, bitsPerSecond: megabits * 1e6)
      let start = seconds
      let rows = Array(1...(count + 1))
      // The wait for the answer that does not come may end late, and its retry.
      let best = Double(count * kilobytes) * 8_000 / (megabits * 1e6)
      try two.awaitRows(rows, limit: .seconds(2 * best + 6))
      let share = best / (seconds - start)
      return "after \(text(seconds - start)): \(Int(100 * share)) % of the link"
    }
  }
}
