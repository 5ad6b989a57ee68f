import Foundation
import WellspringSystem

/// `PartitionLab times`: for how long no write returns when something fails, with the default
/// options of replicas.
///
/// All nodes try to write all the time. A time is the longest one between two acknowledged writes
/// that follow each other, on any node, around the failure.
///
/// While the members of etcd have no leader, nothing can be written. Most elections take less than
/// two seconds; when two members stand at a time, they vote again. So the time of the election is
/// printed with a time that is too long.
enum TimesCommand {
  private struct Trial: Sendable {
    let what: String
    /// In seconds.
    let limit: Double
    let happen: @Sendable (Lab) throws -> Void

    /// The primary and the members of etcd lose their packets to each other.
    static func cutOff(_ direction: PartitionNetwork.Direction) -> Trial {
      Trial(what: "the primary is cut off from etcd, \(direction.rawValue)", limit: 6) { lab in
        lab.network.cut(try lab.primary(), from: lab.members.hosts, direction)
      }
    }
  }

  private static let trials = [
    Trial(what: "the primary is killed", limit: 6) { lab in lab.kill(try lab.primary()) },
    Trial(what: "the primary is stopped", limit: 6) { lab in
      lab.signal(SIGSTOP, try lab.primary())
    },
    .cutOff(.both),
    .cutOff(.outgoing),
    .cutOff(.incoming),
    Trial(what: "the link of the primary is down", limit: 6) { lab in
      try lab.network.takeDown(try lab.primary())
    },
    Trial(what: "the primary is closed in order", limit: 0.5) { lab in
      lab.stop(try lab.primary())
    },
    Trial(what: "the leader of etcd is killed", limit: 3.5) { lab in
      lab.members.kill(try lab.members.awaitLeader())
    },
    Trial(what: "the leader of etcd is cut off from all", limit: 3.5) { lab in
      lab.network.cut(try lab.members.awaitLeader(), from: lab.network.hosts)
    },
    Trial(what: "the leader of etcd is cut off from the members", limit: 3.5) { lab in
      lab.network.cut(try lab.members.awaitLeader(), from: lab.members.hosts)
    },
  ]

  /// Runs the trials, and returns whether all times are within their limits.
  static func run(rounds: Int, only words: String?) throws -> Bool {
    let lab = try Lab()
    var isKept = true
    defer { lab.end(keepsFolder: isKept) }
    say("| what happens | limit | times until writes go on |\n|---|---|---|")
    var isWithinLimits = true
    for trial in trials where words.map(trial.what.contains) ?? true {
      let times = try (0..<rounds).map { _ in try time(trial, lab) }
      let isMet = times.allSatisfy { $0.seconds <= trial.limit }
      isWithinLimits = isWithinLimits && isMet
      let words = times.map { time in
        let text = String(format: "%.2f s", time.seconds)
        guard time.seconds > trial.limit, let election = time.election else { return text }
        return text + String(format: " (etcd elected for %.2f s)", election)
      }
      .joined(separator: ", ")
      say("| \(trial.what) | \(trial.limit) s | \(words)\(isMet ? "" : ": MISSED") |")
    }
    isKept = !isWithinLimits
    if isKept { say("The histories are in \(lab.folder).") }
    return isWithinLimits
  }

  /// Measures for how long no write returns, and how long the members of etcd need for a leader.
  private static func time(
    _ trial: Trial,
    _ lab: Lab
  ) throws -> (seconds: Double, election: Double?) {
    try awaitCalm(lab)
    let start = MonotonicClock.now
    let moment = Date()
    try trial.happen(lab)
    // A failure can show late: a primary that is cut off may have an answer on its way.
    let result = try waiting(for: "writes after \(trial.what)") {
      lab.update()
      let now = MonotonicClock.now
      let times = lab.acknowledgements(since: start - 1_000_000_000)
      guard now - start > 9_000_000_000, let last = times.last, now - last < 500_000_000 else {
        return UInt64?.none
      }
      return zip(times, times.dropFirst()).filter { $0.1 > start }.map { $1 - $0 }.max()
    }
    let election = try lab.members.firstElection(after: moment)?.timeIntervalSince(moment)
    try lab.heal()
    try lab.awaitReady()
    return (Double(result) / 1e9, election)
  }

  /// Waits until writes have returned for three seconds without a pause.
  ///
  /// The members of etcd elect another leader when a member that was cut off is back.
  private static func awaitCalm(_ lab: Lab) throws {
    try waiting(for: "three seconds of writes without a pause") {
      lab.update()
      let now = MonotonicClock.now
      let start = now - 3_000_000_000
      let times = [start] + lab.acknowledgements(since: start) + [now]
      let pauses = zip(times, times.dropFirst()).map { $1 - $0 }
      return pauses.allSatisfy { $0 < 500_000_000 } ? () : nil
    }
  }
}
