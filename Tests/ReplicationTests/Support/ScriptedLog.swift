import Replication
import WellspringSystem

/// A log in memory whose next answers a test replaces.
final class ScriptedLog: ReplicationLog {
  /// A wrong answer to an append.
  enum AppendFault: Sendable {
    /// The entry is stored, and the answer is lost.
    case answerLost
    /// The entry is not stored, and the answer is lost.
    case neverStored
    /// Another writer's entry comes first.
    case overtaken([UInt8])
    /// The log refuses.
    case refused(ReplicationLogError)
  }

  private struct State {
    var entries: [LogEntry] = []
    var appendFaults: [AppendFault?] = []
    var readFaults: [@Sendable ([LogEntry]) -> [LogEntry]] = []
  }

  // Guards the entries and the faults to come.
  private let state = Lock(State())

  let entryLimit = 1_500_000

  /// The entries that are kept.
  var kept: [LogEntry] { state.withLock { $0.entries } }

  /// Lets the next appends go wrong; `nil` means an append without a fault.
  func failAppends(_ faults: [AppendFault?]) {
    state.withLock { $0.appendFaults = faults }
  }

  /// Changes the results of the next reads.
  func changeReads(_ changes: [@Sendable ([LogEntry]) -> [LogEntry]]) {
    state.withLock { $0.readFaults = changes }
  }

  /// Removes the entries after a position, like an engine that has lost them.
  func lose(after position: LogPosition) {
    state.withLock { state in state.entries.removeAll { $0.position > position } }
  }

  func append(
    _ bytes: [UInt8],
    expecting position: LogPosition
  ) throws(ReplicationLogError) -> AppendOutcome {
    try state.withLock { (state) throws(ReplicationLogError) -> AppendOutcome in
      let fault = state.appendFaults.isEmpty ? nil : state.appendFaults.removeFirst()
      if case .overtaken(let other) = fault { Self.store(other, &state) }
      if case .refused(let error) = fault { throw error }
      if case .neverStored = fault { return .unknown("no answer") }
      let tail = state.entries.last?.position ?? .start
      guard tail == position else { return .conflict(tail: tail) }
      Self.store(bytes, &state)
      if case .answerLost = fault { return .unknown("no answer") }
      return .appended(tail.next)
    }
  }

  private static func store(_ bytes: [UInt8], _ state: inout State) {
    let tail = state.entries.last?.position ?? .start
    state.entries.append(LogEntry(position: tail.next, bytes: bytes))
  }

  func entries(
    after position: LogPosition,
    limit: Int,
    waitingUpTo timeout: Duration
  ) throws(ReplicationLogError) -> [LogEntry] {
    try state.withLock { (state) throws(ReplicationLogError) -> [LogEntry] in
      let tail = state.entries.last?.position ?? .start
      guard position <= tail else { throw .lost(tail: tail) }
      if let first = state.entries.first?.position, position.next < first {
        throw .trimmed(first: first)
      }
      let found = Array(state.entries.filter { $0.position > position }.prefix(limit))
      return state.readFaults.isEmpty ? found : state.readFaults.removeFirst()(found)
    }
  }

  func tail() throws(ReplicationLogError) -> LogPosition { kept.last?.position ?? .start }

  func first() throws(ReplicationLogError) -> LogPosition? { kept.first?.position }

  func trim(below position: LogPosition) throws(ReplicationLogError) {
    state.withLock { state in state.entries.removeAll { $0.position < position } }
  }

  func usage() throws(ReplicationLogError) -> LogUsage { LogUsage(bytes: 0, bytesInUse: 0) }

  func close() {}
}
