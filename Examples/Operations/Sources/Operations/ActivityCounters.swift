import Storage
import Synchronization

/// Counts activities, and prints the counts as Prometheus reads them.
public final class ActivityCounters: DatabaseInstrument {
  fileprivate struct Counts {
    var events: [String: Int] = [:]
    var seconds: [String: Double] = [:]
    var observations = 0
  }

  private let counts = Mutex(Counts())

  /// Creates counters that are all zero.
  public init() {}

  /// Counts the activity.
  public func record(_ activity: DatabaseActivity) {
    counts.withLock { counts in
      switch activity.kind {
      case .slowStatement(let statement): counts.add("slow_statements", statement.duration)
      case .busy(let wait): counts.add("busy_waits", wait.duration)
      case .checkpoint(let checkpoint): counts.add("checkpoints", checkpoint.duration)
      case .batch(let batch): counts.add("batches", batch.duration)
      case .walOverLimit: counts.add("wal_over_limit")
      case .observationStarted: counts.observations += 1
      case .observationEnded: counts.observations -= 1
      case .observationFailed: counts.add("observation_failures")
      default: break
      }
    }
  }

  /// The counts as text, one a line.
  public var text: String {
    let counts = counts.withLock { $0 }
    var lines = counts.events.map { "database_\($0.key)_total \($0.value)" }
    lines += counts.seconds.map { "database_\($0.key)_seconds_total \($0.value)" }
    lines.append("database_observations \(counts.observations)")
    return lines.sorted().joined(separator: "\n")
  }
}

extension ActivityCounters.Counts {
  fileprivate mutating func add(_ name: String, _ duration: Duration? = nil) {
    events[name, default: 0] += 1
    if let duration { seconds[name, default: 0] += duration / .seconds(1) }
  }
}
