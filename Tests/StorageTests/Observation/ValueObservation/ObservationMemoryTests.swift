import Foundation
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// The memory that observations leave behind. Each test measures it in a separate process.
@Suite(.disabled(if: Sanitizer.isActive)) struct ObservationMemoryTests {
  private static let count = Soak.size(1_000_000, inSuite: 5000)

  /// The resident memory of this process, in kilobytes.
  private static func residentKilobytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    return try #require(Int(line.filter(\.isNumber)))
  }

  /// A request that refers to an object.
  private struct HoldingRequest: ObservationRequest {
    final class Token: Sendable {}

    let token: Token

    func fetch(_ db: Database) throws -> Int {
      try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? 0
    }

    static func == (left: Self, right: Self) -> Bool { left.token === right.token }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(token)) }
  }

  @Test func `P9: the end of the last observation of a request releases the request`() throws {
    let shop = try Shop()
    weak var token: HoldingRequest.Token?
    do {
      let request = HoldingRequest(token: HoldingRequest.Token())
      token = request.token
      let observations = (0..<2).map { _ in
        ValueObservation.tracking(request).start(
          in: shop.pool,
          scheduling: .immediate,
          onError: { Issue.record($0) },
          onChange: { _ in }
        )
      }
      #expect(shop.pool.observationStatistics.live == 1)
      observations.forEach { $0.cancel() }
    }
    #expect(token == nil)
  }

  @Test func `soak: P9: starting and cancelling observations leaves memory flat`() async {
    let count = Self.count
    await #expect(processExitsWith: .success) { [count = count as Int] in
      let shop = try Shop()
      func startAndCancel(_ number: Int) {
        let observation = ValueObservation.tracking { db in
          try Int.fetchOne(db, sql: "SELECT count(*) FROM item WHERE id = ?", arguments: [number])
        }
        let cancellable = observation.start(
          in: shop.pool,
          scheduling: .immediate,
          onError: { fatalError("\($0)") },
          onChange: { _ in }
        )
        cancellable.cancel()
      }
      for number in 0..<count / 5 { startAndCancel(number) }
      let before = try Self.residentKilobytes()
      for number in 0..<count { startAndCancel(number) }
      let growth = try Self.residentKilobytes() - before
      try #require(shop.pool.observationStatistics.live == 0)
      try #require(growth < 2048, "grew by \(growth) kB")
    }
  }

  @Test func `soak: P9: starting and cancelling loops leaves memory flat`() async {
    let count = Self.count / 10
    await #expect(processExitsWith: .success) { [count = count as Int] in
      let shop = try Shop()
      func iterate() async throws {
        let task = Task {
          for try await items in Shop.items.values(in: shop.pool) { return items.count }
          return 0
        }
        _ = try await task.value
        let cancelled = Task {
          for try await _ in Shop.items.values(in: shop.pool) {}
        }
        cancelled.cancel()
        _ = await cancelled.result
      }
      for _ in 0..<count / 5 { try await iterate() }
      let before = try Self.residentKilobytes()
      for _ in 0..<count { try await iterate() }
      try await shop.pool.quiesce()
      let growth = try Self.residentKilobytes() - before
      try #require(shop.pool.observationStatistics.live == 0)
      try #require(growth < 2048, "grew by \(growth) kB")
    }
  }
}
