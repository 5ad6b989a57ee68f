/// Optional functions of an engine that a node uses beside the protocol.
protocol EngineHints {
  /// The end of the log, as of the last answer; `nil` if the engine has not said it.
  var knownTail: LogPosition? { get }

  /// Limits the time of each call whose answer the primary waits for.
  func limitCalls(to limit: Duration)
}

extension MemoryLog: EngineHints {
  var knownTail: LogPosition? { storedTail }

  func limitCalls(to limit: Duration) {}
}

extension WatchedLog: EngineHints {
  var knownTail: LogPosition? { (base as? any EngineHints)?.knownTail }

  func limitCalls(to limit: Duration) { (base as? any EngineHints)?.limitCalls(to: limit) }
}
