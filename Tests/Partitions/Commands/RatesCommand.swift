import Foundation
import WellspringSystem

/// `PartitionLab rates`: how fast a node catches up over a slow link, for entries of some sizes.
enum RatesCommand {
  private struct Trial {
    let megabits: Double
    /// How many bytes a write adds.
    let size: Int
    let count: Int

    /// As many entries as the link carries in some seconds, if it takes not too long to write them.
    init(_ megabits: Double, _ size: Int) {
      self.megabits = megabits
      self.size = size
      count = max(12, min(12_000, Int(megabits * 1e6 / 8 * 12) / size))
    }

    var name: String { "\(megabits) Mbit/s, \(size / 1_000) kB" }
  }

  private static let trials = [1.5, 10, 100].flatMap { megabits in
    [1_000, 60_000, 450_000].map { Trial(megabits, $0) }
  }

  /// Runs the trials.
  ///
  /// - Parameter only: Words that the names of the trials contain.
  /// - Returns: Whether each uses at least half of its link.
  /// - Throws: ``LabError``.
  static func run(only: String?) throws -> Bool {
    say("| link and entry | entries | caught up after | content of the rows | bytes on the link |")
    say("|---|---|---|---|---|")
    var isWithinLimits = true
    for trial in trials where only.map(trial.name.contains) ?? true {
      let (seconds, bytes) = try measure(trial)
      let content = Double(trial.size * trial.count) * 8 / 1e6 / seconds
      let packets = Double(bytes) * 8 / 1e6 / seconds
      let isMet = content >= trial.megabits / 2
      isWithinLimits = isWithinLimits && isMet
      let words = [
        trial.name, "\(trial.count)",
        String(format: "%.1f s", seconds),
        String(format: "%.2f Mbit/s, %.0f %%", content, 100 * content / trial.megabits)
          + (isMet ? "" : ": MISSED"),
        String(format: "%.2f Mbit/s, %.0f %%", packets, 100 * packets / trial.megabits),
      ]
      say("| \(words.joined(separator: " | ")) |")
    }
    return isWithinLimits
  }

  /// Returns how many seconds a node needs, and how many bytes its link carries to it.
  private static func measure(_ trial: Trial) throws -> (seconds: Double, bytes: Int) {
    let lab = try Lab(startsNodes: false) { program in
      program.size = trial.size
      program.pause = 0
      program.keepsTally = false
      program.limit = 0
    }
    defer { lab.end() }
    let (writer, reader) = (lab.nodeHosts[0], lab.nodeHosts[1])
    // The reader knows the log before, so that it continues, and makes no file.
    try lab.start(writer) { $0.limit = 1 }
    try awaitRows(lab, writer, 1)
    try lab.start(reader)
    try awaitRows(lab, reader, 1)
    lab.stop(reader)
    try lab.awaitEnd(reader)
    lab.kill(writer)
    try lab.start(writer) { $0.limit = nil }
    try awaitRows(lab, writer, trial.count)
    lab.kill(writer)
    let count = lab.history(writer)?.observedCount ?? 0
    lab.network.limit(reader, bitsPerSecond: trial.megabits * 1e6)
    let before = lab.network.receivedBytes(reader)
    let start = MonotonicClock.now
    try lab.start(reader)
    try awaitRows(lab, reader, count)
    let seconds = Double(MonotonicClock.now - start) / 1e9
    return (
      seconds * Double(trial.count) / Double(count), lab.network.receivedBytes(reader) - before
    )
  }

  private static func awaitRows(_ lab: Lab, _ host: Host, _ count: Int) throws {
    try waiting(for: "\(count) rows on \(host.name)", limit: .seconds(180)) {
      lab.update()
      return lab.history(host)?.observedCount ?? 0 >= count ? () : nil
    }
  }
}
