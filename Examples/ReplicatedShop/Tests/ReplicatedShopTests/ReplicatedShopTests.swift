import Foundation
import FoundationNetworking
import Replication
import Sharing
import Testing

@testable import ReplicatedShop

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
    task: Task<Void, any Error>, reports: AsyncStream<ShopReport>, address: String
  ) {
    let (reports, continuation) = AsyncStream.makeStream(of: ShopReport.self)
    let node = try await ShopNode(name: name, path: path(name), log: MemoryLog(sharing: log)) {
      continuation.yield($0)
    }
    let address = node.address
    let task = Task {
      defer { continuation.finish() }
      try await node.run()
    }
    return (task, reports, address)
  }

  @Test(.timeLimit(.minutes(1)))
  func `all nodes sell, and go on when the primary ends`() async throws {
    let first = try await run("a")
    var sold: Set<Int64> = []
    for await case .sold(let id) in first.reports {
      sold.insert(id)
      if sold.count == 3 { break }
    }
    let second = try await run("b")
    var isPrimary = false
    for await report in second.reports {
      if case .leads = report { isPrimary = true }
      guard case .sold(let id) = report else { continue }
      #expect(!sold.contains(id))
      sold.insert(id)
      if sold.count == 6 {
        // It has sold beside the primary.
        #expect(!isPrimary)
        first.task.cancel()
        try await first.task.value
      }
      if sold.count >= 9 { break }
    }
    second.task.cancel()
    try await second.task.value
    let content = try ShopFile.content(of: directory.appending(path: "b"))
    #expect(sold.isSubset(of: content.sales))
    #expect(content.doubled == [])
    try FileManager.default.removeItem(at: directory)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a customer who asks two nodes with one key buys once`() async throws {
    let first = try await run("a")
    for await case .leads in first.reports { break }
    let second = try await run("b")
    for await case .sold in second.reports { break }
    let key = UUID().uuidString
    var answers: Set<String> = []
    for address in [second.address, second.address, first.address] {
      let (status, text) = try await order(at: address, key)
      #expect(status == 200)
      answers.insert(text)
    }
    #expect(answers.count == 1)
    let (status, text) = try await order(at: second.address, nil)
    #expect(status == 200)
    #expect(!answers.contains(text))
    #expect(try await order(at: second.address, "no UUID").status == 400)
    for node in [second, first] {
      node.task.cancel()
      try await node.task.value
    }
    let content = try ShopFile.content(of: directory.appending(path: "a"))
    #expect(content.doubled == [])
    try FileManager.default.removeItem(at: directory)
  }

  private func order(
    at address: String,
    _ key: String?
  ) async throws -> (status: Int?, text: String) {
    var request = URLRequest(url: try #require(URL(string: "http://\(address)/sales")))
    request.httpMethod = "POST"
    if let key { request.setValue(key, forHTTPHeaderField: "Idempotency-Key") }
    let (body, response) = try await URLSession.shared.upload(for: request, from: Data())
    return ((response as? HTTPURLResponse)?.statusCode, String(decoding: body, as: UTF8.self))
  }
}
