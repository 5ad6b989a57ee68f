/// Reads the steps of a history from a log, each one once and in order.
///
/// A log that answers wrongly is asked again from the last step on. Only a fault that stays is an
/// error. One thread at a time uses a value.
struct LogFollower: Sendable {
  /// A complete step, and the place that a file has after it.
  struct Step: Hashable, Sendable {
    var entry: Entry
    var place: HistoryPlace
  }

  private let log: any ReplicationLog
  /// What was read.
  private(set) var history: History
  /// How often a log that answers wrongly is asked.
  private let attempts: Int

  init(_ log: any ReplicationLog, from place: HistoryPlace, attempts: Int = 3) {
    self.log = log
    history = History(place)
    self.attempts = max(1, attempts)
  }

  /// Returns the next complete steps.
  ///
  /// - Parameters:
  ///   - limit: The largest number of entries to ask for.
  ///   - timeout: How long to wait for the first entry.
  /// - Returns: The steps; none if there is no entry, or only parts of one.
  /// - Throws: ``ReplicationError``. Nothing was skipped then: the next call continues.
  mutating func next(
    limit: Int,
    waitingUpTo timeout: Duration
  ) throws(ReplicationError) -> [Step] {
    var fault: HistoryError?
    for _ in 0..<attempts {
      let entries = try read(limit, fault == nil ? timeout : .zero)
      var steps: [Step] = []
      do throws(HistoryError) {
        for entry in entries {
          guard case .next(let complete) = try history.accept(entry) else { continue }
          steps.append(Step(entry: complete, place: history.last))
        }
        // A log that only repeats itself gives nothing new, like one that waits in vain.
        return steps
      } catch {
        // The steps before the fault are right.
        if !steps.isEmpty { return steps }
        fault = error
      }
    }
    guard let fault else { return [] }
    if case .missing(let position, _) = fault { throw .logLost(from: position) }
    throw .history(fault)
  }

  private func read(_ limit: Int, _ timeout: Duration) throws(ReplicationError) -> [LogEntry] {
    do throws(ReplicationLogError) {
      return try log.entries(
        after: history.last.position,
        limit: limit,
        waitingUpTo: timeout
      )
    } catch {
      switch error {
      case .trimmed: throw .snapshotNeeded(after: history.last.position)
      case .lost(let tail): throw .logLost(from: tail.next)
      default: throw .log(error)
      }
    }
  }
}
