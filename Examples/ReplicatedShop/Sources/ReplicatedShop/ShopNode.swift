import Replication
import Sharing
import Synchronization

/// One process of the service: it reports each change, and sells while it is the primary.
public final class ShopNode: Sendable {
  private let database: ReplicatedDatabase
  private let name: String
  private let report: @Sendable (ShopReport) -> Void
  private let isResting = Atomic(false)

  /// Opens the node.
  ///
  /// - Parameters:
  ///   - name: The name of the node.
  ///   - path: The file of the node.
  ///   - log: The log that all nodes share.
  ///   - snapshots: The snapshots that all nodes share.
  ///   - report: Gets what happens.
  /// - Throws: What opening a `ReplicatedDatabase` throws.
  public init(
    name: String,
    path: String,
    log: some ReplicationLog,
    snapshots: SnapshotStore? = nil,
    report: @escaping @Sendable (ShopReport) -> Void
  ) async throws {
    var options = ReplicationOptions()
    options.address = name
    // People watch this: a service takes the default of some seconds.
    options.heartbeatInterval = .milliseconds(300)
    options.electionTimeout = .milliseconds(1200)
    options.snapshots = snapshots
    database = try await ReplicatedDatabase(path: path, log: log, options: options)
    self.name = name
    self.report = report
  }

  /// Sells no more. The node goes on following.
  public func rest() { isResting.store(true, ordering: .relaxed) }

  /// Shows and sells until the task is cancelled, and closes the database.
  ///
  /// - Throws: What closing the database throws.
  public func run() async throws {
    await withTaskGroup { group in
      group.addTask { await self.reportRole() }
      group.addTask { await self.reportSummary() }
      group.addTask { await self.sell() }
    }
    try database.close()
  }

  private func reportRole() async {
    var last: ShopReport?
    for await status in database.statusUpdates {
      let role: ShopReport =
        switch status.role {
        case .primary: .leads(epoch: status.epoch)
        case .replica: .follows(epoch: status.epoch)
        case .needsSnapshot(let error), .stopped(let error): .stopped("\(error)")
        }
      guard role != last else { continue }
      last = role
      report(role)
    }
  }

  private func reportSummary() async {
    @SharedReader(.fetch(ShopSummary(), database: database)) var summary = ShopSummary.Value()
    for await value in $summary.values { report(.shows(value)) }
  }

  private func sell() async {
    let shop = Shop(database, name: name)
    while !Task.isCancelled {
      if isResting.load(ordering: .relaxed) { return report(.rests) }
      do {
        report(.sold(try await shop.sell()))
      } catch ReplicationError.notPrimary {
        // Another node sells.
      } catch is CancellationError {
        return
      } catch {
        report(.failed("\(error)"))
      }
      try? await Task.sleep(for: .milliseconds(300))
    }
  }
}
