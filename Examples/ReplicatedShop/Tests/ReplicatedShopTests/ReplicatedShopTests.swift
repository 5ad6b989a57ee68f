import Foundation
import Replication
import ReplicatedShop
import Sharing
import Testing

/// Nodes of the shop in one process, with a log in memory.
@Suite struct ReplicatedShopTests {
  private let directory: URL
  private let log = MemoryLog()

  init() throws {
    directory = FileManager.default.temporaryDirectory.appending(path: "shop-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  private func path(_ name: String) -> String { directory.appending(path: name).path }

  /// Runs a node, whose task ends it, and returns its reports.
  private func run(_ name: String) async throws -> (
    task: Task<Void, any Error>, reports: AsyncStream<ShopReport>
  ) {
    let (reports, continuation) = AsyncStream.makeStream(of: ShopReport.self)
    let node = try await ShopNode(name: name, path: path(name), log: MemoryLog(sharing: log)) {
      continuation.yield($0)
    }
    let task = Task {
      defer { continuation.finish() }
      try await node.run()
    }
    return (task, reports)
  }

  @Test(.timeLimit(.minutes(1)))
  func `when the primary ends, another node sells`() async throws {
    let first = try await run("a")
    var sold: Set<Int64> = []
    for await case .sold(let id) in first.reports {
      sold.insert(id)
      if sold.count == 3 { break }
    }
    let second = try await run("b")
    first.task.cancel()
    try await first.task.value
    for await case .sold(let id) in second.reports {
      #expect(!sold.contains(id))
      sold.insert(id)
      if sold.count >= 6 { break }
    }
    second.task.cancel()
    try await second.task.value
    let sales = try ShopFile.content(of: directory.appending(path: "b")).sales
    #expect(sold.isSubset(of: sales))
    try FileManager.default.removeItem(at: directory)
  }
}
