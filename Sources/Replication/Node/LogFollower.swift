/// Reads the steps of a history from a log, each one once and in order.
///
/// A log that answers wrongly is asked again from the last step on. Only a fault that stays is an
/// error. One thread at a time uses a value.
struct LogFollower: Sendable {
  /// A complete step, and the place that a file has after it.
  struct Step: Hashable, Sendable {
    var entry: Entry
    var place: HistoryPosition
  }

  private let log: any ReplicationLog
  /// The history that was read.
  private(set) var history: History
  /// How often a log that answers wrongly is asked.
  private let attempts: Int

  init(_ log: any ReplicationLog, from place: HistoryPosition, attempts: Int = 3) {
    self.log = log
    history = History(place)
    self.attempts = max(1, attempts)
  }

  /// Returns the next complete steps.
  ///
  /// - Parameters:
  ///   - limit: The largest number of entries to ask for.
  ///   - timeout: How long to wait for the first entry.
  /// - Returns: The steps; none if the log has no further entry, or only parts of one.
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
        // A log that only repeats itself gives nothing new, like a log without new entries.
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

  /// Checks that the log still has the last entry that was read, and no other entry in its place.
  ///
  /// A log that has lost entries and was written again up to the same length gives no other sign
  /// before its next entry. A node calls this when it starts.
  ///
  /// - Returns: The last entry; `nil` if it was trimmed.
  /// - Throws: ``ReplicationError/history(_:)`` or ``ReplicationError/logLost(from:)``. A last
  ///   entry that was trimmed is not an error.
  @discardableResult
  mutating func checkLast() throws(ReplicationError) -> Entry? {
    let last = history.last.position
    guard last > .start else { return nil }
    let before = LogPosition(last.sequence - 1)
    var fault: HistoryError?
    for _ in 0..<attempts {
      let found: [LogEntry]
      do throws(ReplicationError) {
        found = try read(1, .zero, after: before)
      } catch {
        if case .snapshotNeeded = error { return nil }
        throw error
      }
      guard let entry = found.first else { throw .logLost(from: last) }
      guard entry.position == last else {
        fault = .missing(last, found: entry.position)
        continue
      }
      do throws(HistoryError) {
        _ = try history.accept(entry)
        return try History.decode(entry).entry
      } catch {
        fault = error
      }
    }
    if let fault { throw .history(fault) }
    return nil
  }

  private func read(
    _ limit: Int,
    _ timeout: Duration,
    after position: LogPosition? = nil
  ) throws(ReplicationError) -> [LogEntry] {
    do throws(ReplicationLogError) {
      return try log.entries(
        after: position ?? history.last.position,
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
