import Foundation
import HistoryChecker
import WellspringSystem

/// `PartitionLab soak`: random failures, one after the other and sometimes two at a time, and a
/// check of all that was answered, shown and kept.
enum SoakCommand {
  /// Runs with a seed, and returns whether no promise was broken.
  static func run(seed: UInt64, seconds: Int) throws -> Bool {
    say("soak: seed \(seed), \(seconds) s")
    var generator = SplitMix(seed: seed)
    let lab = try Lab(seed: seed) { program in
      // Nodes that were away for long take one.
      program.snapshots =
        URL(fileURLWithPath: program.history).deletingLastPathComponent()
        .appendingPathComponent("snapshots").path
    }
    var isKept = true
    defer {
      lab.end(keepsFolder: isKept)
      if isKept { say("The histories are in \(lab.folder).") }
    }
    let start = ContinuousClock.now
    var nemeses = 0
    var longest = Duration.zero
    while ContinuousClock.now - start < .seconds(seconds) {
      var names: [String] = []
      for _ in 0..<(Int.random(in: 0..<4, using: &generator) == 0 ? 2 : 1) {
        let nemesis = Nemesis.random(lab, using: &generator)
        names.append(nemesis.description)
        try nemesis.happen(lab)
        nemeses += 1
      }
      let length = Int.random(in: 500...12_000, using: &generator)
      let time = (ContinuousClock.now - start) / .seconds(1)
      say(
        String(format: "%7.1f s: ", time) + names.joined(separator: "; ")
          + String(format: ", for %.1f s", Double(length) / 1000)
      )
      pause(length)
      let healing = ContinuousClock.now
      try lab.heal()
      try lab.awaitReady(limit: .seconds(45))
      longest = max(longest, ContinuousClock.now - healing)
      pause(Int.random(in: 0...2_000, using: &generator))
    }
    let checker = try lab.finish()
    let violations = checker.violations()
    report(seed, nemeses, longest, checker, violations)
    isKept = !violations.isEmpty
    return violations.isEmpty
  }

  /// A failure lasts for a time: no condition ends it.
  private static func pause(_ milliseconds: Int) { usleep(UInt32(milliseconds) * 1_000) }

  private static func report(
    _ seed: UInt64,
    _ nemeses: Int,
    _ longest: Duration,
    _ checker: HistoryChecker,
    _ violations: [Violation]
  ) {
    var counts = (acknowledged: 0, refused: 0, unknown: 0, observed: 0)
    for event in checker.histories.lazy.flatMap(\.events) {
      switch event.kind {
      case .acknowledged: counts.acknowledged += 1
      case .refused: counts.refused += 1
      case .unknown: counts.unknown += 1
      case .observed: counts.observed += 1
      default: break
      }
    }
    say(
      """
      seed \(seed): \(nemeses) failures, \(counts.acknowledged) acknowledged writes, \
      \(counts.refused) refused, \(counts.unknown) unknown, \(counts.observed) observed values, \
      \(checker.files.first?.ids.count ?? 0) rows; all nodes showed a new write after \
      \(String(format: "%.1f", longest / .seconds(1))) s at most
      """
    )
    for violation in violations.prefix(20) { say("VIOLATION: \(violation)") }
    say("seed \(seed): \(violations.isEmpty ? "no violation" : "\(violations.count) violations")")
  }
}
