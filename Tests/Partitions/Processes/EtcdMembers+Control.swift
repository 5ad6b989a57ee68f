import Foundation

extension EtcdMembers {
  /// Makes a backup of the cluster at a path.
  func backUp(to path: String) throws {
    try control("--endpoints", "http://127.0.0.1:2379", "snapshot", "save", path)
  }

  /// Compacts all revisions so far, so that a watch cannot begin at one of them. Without a leader,
  /// it does nothing.
  func compact() throws {
    struct Answer: Decodable {
      struct Header: Decodable { let revision: Int }
      let header: Header
    }
    let local = ["--endpoints", "http://127.0.0.1:2379", "--command-timeout", "1s"]
    for host in hosts {
      guard let text = try? control(on: host, local + ["get", "none", "--write-out", "json"]),
        let answer = try? JSONDecoder().decode(Answer.self, from: Data(text.utf8)),
        (try? control(on: host, local + ["compact", "\(answer.header.revision)"])) != nil
      else { continue }
      return
    }
  }

  /// Replaces the data of all members by a backup, as an operator does. It is the same cluster.
  func restore(from path: String) throws {
    for host in hosts {
      kill(host)
      try FileManager.default.removeItem(atPath: data(host))
      try control(
        "snapshot",
        "restore",
        path,
        "--name",
        host.name,
        "--data-dir",
        data(host),
        "--initial-cluster",
        cluster,
        "--initial-advertise-peer-urls",
        "http://\(host.address):2380"
      )
    }
    try startAll()
  }

  /// Makes another cluster on the same hosts, which is empty.
  func remake() throws {
    for host in hosts { kill(host) }
    for host in hosts { try FileManager.default.removeItem(atPath: data(host)) }
    token = "lab-again"
    try startAll()
  }

  private func startAll() throws {
    for host in hosts { try start(host) }
    try awaitLeader()
  }

  private func control(_ arguments: String...) throws {
    try control(on: hosts[0], arguments)
  }

  @discardableResult
  private func control(on host: Host, _ arguments: [String]) throws -> String {
    let words = ["ip", "netns", "exec", host.namespace, "env", "ETCDCTL_API=3", "etcdctl"]
    return try LabProcess.run(words + arguments)
  }
}
