import Foundation
import TestSupport
import Testing

/// P1 to P10: whatever happens to a database, its observers receive the values that they must
/// receive, in order, and nothing else.
///
/// `make soak` runs the same simulation at a hundred times the size. `WELLSPRING_STEPS` sets the
/// number of steps, `WELLSPRING_SEED` the seed.
@Suite struct SimulationTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let steps =
    environment["WELLSPRING_STEPS"].flatMap(Int.init) ?? Soak.size(7_500, inSuite: 2_000)
  private static let seed = environment["WELLSPRING_SEED"].flatMap(UInt64.init) ?? 1

  @Test func `observers of a random database receive every result and nothing else`() async throws {
    try await onNewThread {
      let simulation = try Simulation(seed: Self.seed, steps: Self.steps)
      try simulation.run()
      if Self.environment["WELLSPRING_STEPS"] != nil {
        print("seed \(Self.seed):", simulation.counts)
      }
    }
  }
}

/// Runs blocking code on a new thread, outside Swift's pool.
private func onNewThread(_ body: @escaping @Sendable () throws -> Void) async throws {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
  }
}
