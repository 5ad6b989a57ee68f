import Foundation
import Testing

/// P1 to P10: whatever happens to a database, its observers are shown what they must be shown, in
/// order, and nothing else.
///
/// `make soak` runs the same at a hundred times the size: `WELLSPRING_STEPS` and `WELLSPRING_SEED` say
/// how many steps from which seed.
@Suite struct SimulationTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let steps = environment["WELLSPRING_STEPS"].flatMap(Int.init) ?? 10_000
  private static let seed = environment["WELLSPRING_SEED"].flatMap(UInt64.init) ?? 1

  @Test func `observers of a random database are shown all there is`() async throws {
    try await onThreadOfItsOwn {
      let simulation = try Simulation(seed: Self.seed, steps: Self.steps)
      try simulation.run()
      if Self.environment["WELLSPRING_STEPS"] != nil {
        print("seed \(Self.seed):", simulation.counts)
      }
    }
  }
}

/// Runs code that blocks on a thread that is none of Swift's.
private func onThreadOfItsOwn(_ body: @escaping @Sendable () throws -> Void) async throws {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
  }
}
