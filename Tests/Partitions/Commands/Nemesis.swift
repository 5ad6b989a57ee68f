import Foundation

/// Something that fails in the lab until ``Lab/heal()``.
struct Nemesis {
  /// The failure, for a reader.
  let description: String
  let happen: (Lab) throws -> Void

  /// Chooses something by chance.
  static func random(_ lab: Lab, using generator: inout SplitMix) -> Nemesis {
    let hosts = lab.network.hosts
    let host = generator.pick(hosts)
    let node = generator.pick(lab.nodeHosts)
    let member = generator.pick(lab.members.hosts)
    let direction = generator.pick(PartitionNetwork.Direction.allCases)
    switch Int.random(in: 0..<21, using: &generator) {
    case 0: return cut(host, from: hosts, direction, "all")
    case 1, 2: return cut(node, from: lab.members.hosts, direction, "etcd")
    case 3: return cut(node, from: [member], direction, member.name)
    case 4: return cut(member, from: lab.members.hosts, direction, "the other members")
    case 5: return split(hosts.shuffled(using: &generator))
    case 6:
      return Nemesis(description: "the link of \(host.name) is down") { lab in
        try lab.network.takeDown(host)
      }
    case 7: return Nemesis(description: "\(node.name) is killed") { $0.kill(node) }
    case 8: return Nemesis(description: "\(node.name) is stopped") { $0.signal(SIGSTOP, node) }
    case 9: return Nemesis(description: "\(member.name) is killed") { $0.members.kill(member) }
    case 10:
      return Nemesis(description: "\(member.name) is stopped") { lab in
        lab.members.signal(SIGSTOP, member)
      }
    case 11:
      let percent = Int.random(in: 2...30, using: &generator)
      return Nemesis(description: "\(host.name) loses \(percent) % of its packets") { lab in
        lab.network.spoil(host) { $0.loss = Double(percent) / 100 }
      }
    case 12:
      let percent = Int.random(in: 5...50, using: &generator)
      return Nemesis(description: "\(percent) % of the packets of \(host.name) come twice") { lab in
        lab.network.spoil(host) { $0.duplication = Double(percent) / 100 }
      }
    case 13:
      return Nemesis(description: "all packets are lost, doubled, late and out of order") { lab in
        for host in hosts {
          lab.network.spoil(host) { rule in
            (rule.loss, rule.duplication) = (0.1, 0.1)
            rule.jitter = .milliseconds(60)
          }
        }
      }
    case 14:
      return Nemesis(description: "the revisions of etcd are compacted") { lab in
        try lab.members.compact()
      }
    case 15: return Nemesis(description: "all processes are killed") { $0.killAll() }
    case 16:
      return Nemesis(description: "the disk of \(host.name) is full") { lab in
        try lab.fillDisk(of: host)
      }
    case 17:
      return Nemesis(description: "\(host.name) runs a tenth of the time") { lab in
        try lab.slowDown(host)
      }
    case 18:
      return Nemesis(description: "the primary is closed in order") { lab in
        lab.stop(try lab.primary())
      }
    case 19:
      let isForward = Bool.random(using: &generator)
      return Nemesis(
        description: "the clock of \(node.name) steps an hour \(isForward ? "forward" : "back")"
      ) { lab in
        lab.signal(isForward ? SIGUSR1 : SIGUSR2, node)
      }
    default:
      let delay = Int.random(in: 10...400, using: &generator)
      return Nemesis(description: "packets of \(host.name) take \(delay) ms or twice that") { lab in
        lab.network.spoil(host) { rule in
          rule.delay = .milliseconds(delay)
          rule.jitter = .milliseconds(delay)
        }
      }
    }
  }

  private static func cut(
    _ host: Host,
    from others: [Host],
    _ direction: PartitionNetwork.Direction,
    _ name: String
  ) -> Nemesis {
    Nemesis(description: "\(host.name) is cut off from \(name), \(direction.rawValue)") { lab in
      lab.network.cut(host, from: others, direction)
    }
  }

  /// Divides the hosts into two parts.
  private static func split(_ hosts: [Host]) -> Nemesis {
    let (some, others) = (hosts.prefix(3), Array(hosts.suffix(3)))
    let names = [some, others[...]].map { $0.map(\.name).sorted().joined(separator: " ") }
    return Nemesis(description: "the parts \(names[0]) and \(names[1]) are cut off") { lab in
      for host in some { lab.network.cut(host, from: others) }
    }
  }
}
