import Foundation

extension EtcdMembers {
  /// Makes a backup of the cluster at a path.
  func backUp(to path: String) throws {
    try control("--endpoints", "http://127.0.0.1:2379", "snapshot", "save", path)
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
    let words = [
      "ip", "netns", "exec", hosts[0].namespace, "env", "ETCDCTL_API=3", "etcdctl",
    ]
    try LabProcess.run(words + arguments)
  }
}
