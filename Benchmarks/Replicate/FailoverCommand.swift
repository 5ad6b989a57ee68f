internal import EtcdSupport
internal import Foundation
internal import Replication
internal import Storage

/// `Benchmarks failovers`: for how long nothing can be written when something ends, with the
/// default options of replicas.
///
/// Three servers of etcd and two nodes run on this machine. The primary is a process of its own.
enum FailoverCommand {
  /// An event, and whether the primary or the other node writes after it.
  private struct Trial: Sendable {
    let what: String
    let happen: @Sendable (Situation) throws -> Void
    var isWrittenByPrimary = false
  }

  private static let trials = [
    Trial(what: "the primary is closed") { try $0.primary.close() },
    Trial(what: "the process of the primary is killed") { $0.primary.kill() },
    Trial(what: "the primary is cut off: its process answers no more") { $0.primary.stop() },
    Trial(
      what: "the member of etcd that leads is killed",
      happen: { situation in
        guard let leader = try situation.cluster.awaitLeader() else {
          throw Overdue(what: "a leader of etcd")
        }
        leader.kill()
      },
      isWrittenByPrimary: true
    ),
  ]

  /// The servers, and the nodes.
  private final class Situation {
    let cluster: EtcdCluster
    let primary: FailoverNode
    let other: ReplicatedDatabase

    init(_ workspace: Workspace) throws {
      let cluster = try EtcdCluster(size: 3)
      self.cluster = cluster
      primary = try FailoverNode(path: workspace.path("primary"), endpoints: cluster.endpoints)
      let path = workspace.path("other")
      other = try waiting {
        let log = try EtcdLog(endpoints: cluster.endpoints, database: FailoverNode.database)
        let node = try await ReplicatedDatabase(path: path, log: log)
        try await node.waitForLatest(timeout: .seconds(10))
        return node
      }
    }

    deinit {
      primary.kill()
      try? other.close()
    }
  }

  /// Runs the command, and returns its exit code.
  static func run(arguments: [String]) -> Int32 {
    var rounds = 5
    if arguments.count == 2, arguments[0] == "--rounds", let number = Int(arguments[1]), number > 0
    {
      rounds = number
    } else if !arguments.isEmpty {
      FileHandle.standardError.write(Data("usage: Benchmarks failovers [--rounds N]\n".utf8))
      return 2
    }
    print("\(rounds) rounds: the median, and the longest time until a write returns")
    for trial in trials {
      do {
        let times = try (0..<rounds).map { _ in try time(trial) }.sorted()
        let words = [times[times.count / 2], times[times.count - 1]].map {
          String(format: "%.2f s", $0 / .seconds(1))
        }
        print("| \(trial.what) | \(words[0]) | \(words[1]) |")
        fflush(nil)
      } catch {
        FileHandle.standardError.write(Data("\(trial.what): \(error)\n".utf8))
        return 1
      }
    }
    return 0
  }

  private static func time(_ trial: Trial) throws -> Duration {
    let workspace = try Workspace()
    defer { workspace.remove() }
    let situation = try Situation(workspace)
    let watch = Stopwatch()
    // The time includes the end of a process that closes its node.
    try trial.happen(situation)
    if trial.isWrittenByPrimary {
      try situation.primary.write()
    } else {
      let node = situation.other
      try waiting {
        while true {
          do {
            return try await node.write { try $0.execute(sql: FailoverNode.insertion) }
          } catch let error as ReplicationError {
            guard case .notPrimary = error, watch.duration < .seconds(60) else { throw error }
            try await Task.sleep(for: .milliseconds(2))
          }
        }
      }
    }
    return watch.duration
  }
}
