import Foundation
import Replication
import Sharing
import Synchronization

/// One process of the service: it reports each change, and sells, whichever node is the primary.
public final class ShopNode: Sendable {
  private let server: HTTPServer
  private let database: ReplicatedDatabase
  private let forwarder: WriteForwarder
  private let name: String
  private let report: @Sendable (ShopReport) -> Void
  private let isResting = Atomic(false)

  /// Where customers and the other nodes reach this node, such as `127.0.0.1:32770`.
  public let address: String

  /// Opens the node.
  ///
  /// - Parameters:
  ///   - name: The name of the node.
  ///   - path: The file of the node.
  ///   - log: The log that all nodes share.
  ///   - snapshots: The snapshots that all nodes share.
  ///   - port: The port on which the node listens. 0 stands for one that is free.
  ///   - report: Gets what happens.
  /// - Throws: What opening a `ReplicatedDatabase` throws, or an error of the server.
  public init(
    name: String,
    path: String,
    log: some ReplicationLog,
    snapshots: SnapshotStore? = nil,
    port: UInt16 = 0,
    report: @escaping @Sendable (ShopReport) -> Void
  ) async throws {
    server = try HTTPServer(port: port)
    address = "127.0.0.1:\(server.port)"
    var options = ReplicationOptions()
    options.address = address
    // People watch this: a service takes the default of some seconds.
    options.heartbeatInterval = .milliseconds(300)
    options.electionTimeout = .milliseconds(1200)
    options.snapshots = snapshots
    database = try await ReplicatedDatabase(path: path, log: log, options: options)
    forwarder = WriteForwarder(database) { address, request in
      try await HTTPClient.post(request, to: "http://\(address)/writes")
    }
    self.name = name
    self.report = report
  }

  /// Sells no more by itself. The node goes on following, and serves customers.
  public func rest() { isResting.store(true, ordering: .relaxed) }

  /// Shows and sells until the task is cancelled, and closes the database.
  ///
  /// - Throws: What closing the database throws.
  public func run() async throws {
    let receiver = WriteReceiver(database, accepting: [SellItem.self])
    server.answer { [weak self] request in
      switch (request.method, request.path) {
      // Between the nodes. The server listens on this machine only: otherwise, it must know them.
      case ("POST", "/writes"):
        HTTPResponse(status: 200, body: await receiver.answer(request.body))
      case ("POST", "/sales"):
        await self?.sale(request.key) ?? .text(503, "This node ends.")
      default: .text(404, "POST /sales sells an item.")
      }
    }
    report(.accepts(address: address))
    await withTaskGroup { group in
      group.addTask { await self.reportRole() }
      group.addTask { await self.reportSummary() }
      group.addTask { await self.sell() }
    }
    await server.stop()
    try database.close()
  }

  /// Sells a random item.
  ///
  /// - Parameter order: The id of the order. An order that comes again is the same sale.
  /// - Returns: The key of the sale.
  /// - Throws: What `WriteForwarder.write` throws.
  private func sell(_ order: WriteID) async throws -> Int64 {
    let sale = SellItem(itemID: .random(in: 1...3), node: name, orderID: "\(order)")
    return try await forwarder.write(sale, id: order, timeout: .seconds(10))
  }

  /// Answers a customer.
  private func sale(_ key: String?) async -> HTTPResponse {
    guard let order = key.map({ WriteID($0) }) ?? WriteID() else {
      return .text(400, "The header Idempotency-Key takes a UUID.")
    }
    do {
      let id = try await sell(order)
      report(.sold(id))
      return .text(200, "sale \(id)")
    } catch let error as ForwardedWriteError {
      return .text(409, "\(error)")
    } catch {
      // The customer may ask again with the same key.
      return .text(503, "\(error)")
    }
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
    while !Task.isCancelled {
      if isResting.load(ordering: .relaxed) { return report(.rests) }
      do {
        report(.sold(try await sell(WriteID())))
      } catch is CancellationError {
        return
      } catch {
        report(.failed("\(error)"))
      }
      try? await Task.sleep(for: .milliseconds(300))
    }
  }
}
