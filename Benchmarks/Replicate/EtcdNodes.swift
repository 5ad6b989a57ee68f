internal import EtcdSupport
internal import Replication
internal import Storage

/// A primary over three servers of etcd, and a replica, each with its own file.
final class EtcdNodes: Sendable {
  let primary: ReplicatedDatabase
  let replica: ReplicatedDatabase
  private let cluster: EtcdCluster

  /// Starts the servers and the nodes.
  init(_ workspace: Workspace, promise: ReplicationPromise) throws {
    let cluster = try EtcdCluster(size: 3)
    let paths = (workspace.path("primary"), workspace.path("replica"))
    self.cluster = cluster
    (primary, replica) = try waiting {
      func open(_ path: String, _ role: ReplicationRole) async throws -> ReplicatedDatabase {
        var configuration = Configuration()
        configuration.synchronous = .normal
        var options = ReplicationOptions()
        options.promise = promise
        return try await ReplicatedDatabase(
          path: path,
          log: try cluster.log(),
          role: role,
          configuration: configuration,
          options: options
        )
      }
      let primary = try await open(paths.0, .automatic)
      let token = try await primary.writeReturningToken { try $0.execute(sql: Counter.creation) }
        .token
      let replica = try await open(paths.1, .replica)
      try await replica.wait(until: token, timeout: .seconds(10))
      return (primary, replica)
    }
  }

  deinit {
    try? primary.close()
    try? replica.close()
  }

  /// Adds one to a counter of the primary.
  func increment(_ id: Int) async throws {
    try await primary.write { try $0.execute(sql: Counter.increment, arguments: [1, id]) }
  }
}
