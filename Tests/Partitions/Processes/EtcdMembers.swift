import Foundation
import Replication

/// A cluster of etcd with one member on each of some hosts.
///
/// Its owner uses it on the main thread.
final class EtcdMembers {
  let hosts: [Host]
  /// The name of the cluster, which with the addresses of its members makes its identity.
  var token = "etcd-cluster"
  private let folder: String
  private var processes: [Host: LabProcess] = [:]

  /// Starts a cluster. Its data is in a folder.
  init(on hosts: [Host], folder: String) throws {
    self.hosts = hosts
    self.folder = folder
    for host in hosts { try start(host) }
    try awaitLeader()
  }

  /// The addresses of all members for clients, beginning with some member.
  func endpoints(from first: Int = 0) -> [String] {
    hosts.indices.map { "http://\(hosts[($0 + first) % hosts.count].address):2379" }
  }

  /// The addresses of all members for each other.
  var cluster: String {
    hosts.map { "\($0.name)=http://\($0.address):2380" }.joined(separator: ",")
  }

  /// The folder with the data of a member.
  func data(_ host: Host) -> String { "\(folder)/\(host.name)/etcd" }

  /// The output of the member of a host.
  private func output(_ host: Host) -> String { "\(folder)/\(host.name).etcd.log" }

  /// Returns when the members elected the first leader after a moment, by their output; `nil` if
  /// they did not.
  func firstElection(after moment: Date) throws -> Date? {
    struct Line: Decodable {
      let ts: String
      let msg: String
    }
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    return try hosts.flatMap { host -> [Date] in
      try Data(contentsOf: URL(fileURLWithPath: output(host))).split(separator: 10)
        .compactMap { try? JSONDecoder().decode(Line.self, from: $0) }
        .filter { $0.msg.contains("became leader at term") }
        .compactMap { try? Date($0.ts, strategy: format) }
    }
    .filter { $0 > moment }.min()
  }

  /// Starts the member of a host, with its data if it has been there before.
  func start(_ host: Host) throws {
    let url = "http://\(host.address)"
    processes[host] = try LabProcess(
      [
        "etcd", "--name", host.name, "--data-dir", data(host),
        "--listen-client-urls", "\(url):2379,http://127.0.0.1:2379",
        "--advertise-client-urls", "\(url):2379",
        "--listen-peer-urls", "\(url):2380", "--initial-advertise-peer-urls", "\(url):2380",
        "--initial-cluster", cluster, "--initial-cluster-state", "new",
        "--initial-cluster-token", token, "--logger", "zap",
        // As the guide says; etcd 3.5 does it by default.
        "--pre-vote",
      ],
      on: host,
      output: output(host)
    )
  }

  /// Ends the member of a host as a crash does.
  func kill(_ host: Host) { processes.removeValue(forKey: host)?.kill() }

  /// Sends a signal to the member of a host.
  func signal(_ signal: Int32, _ host: Host) { processes[host]?.signal(signal) }

  /// The number of the process of a member.
  func number(_ host: Host) -> pid_t? { processes[host]?.number }

  /// Continues the members that are stopped, and starts the members that have ended.
  func heal() throws {
    for host in hosts {
      signal(SIGCONT, host)
      if processes[host]?.isRunning != true { try start(host) }
    }
  }

  /// Ends all members.
  func end() { for host in hosts { kill(host) } }

  /// Waits until each member answers that the same member leads, and returns this member's host.
  ///
  /// It asks within the namespace of each member, so that a rule of the network does not matter.
  @discardableResult
  func awaitLeader() throws -> Host {
    try waiting(for: "a leader of etcd that all members know") {
      var leaders: [String] = []
      var leader: Host?
      for host in hosts {
        guard let status = try? status(host) else { return nil }
        leaders.append(status.leader)
        if status.leader == status.member { leader = host }
      }
      return Set(leaders).count == 1 ? leader : nil
    }
  }

  private func status(_ host: Host) throws -> (member: String, leader: String) {
    struct Entry: Decodable {
      // swift-format-ignore: the names of etcdctl.
      struct Status: Decodable {
        struct Header: Decodable { let member_id: UInt64 }
        let header: Header
        let leader: UInt64?
      }
      let Status: Status
    }
    let text = try LabProcess.run(
      [
        "ip", "netns", "exec", host.namespace, "env", "ETCDCTL_API=3",
        "etcdctl", "--endpoints", "http://127.0.0.1:2379", "--command-timeout", "1s",
        "endpoint", "status", "--write-out", "json",
      ]
    )
    let entries = try JSONDecoder().decode([Entry].self, from: Data(text.utf8))
    guard let status = entries.first?.Status, let leader = status.leader, leader != 0 else {
      throw LabError.overdue("a leader that \(host.name) knows")
    }
    return ("\(status.header.member_id)", "\(leader)")
  }
}
