extension EtcdLog: EngineHints {
  var knownTail: LogPosition? { lastTail?.position }

  func limitCalls(to limit: Duration) { client.limitCalls(to: limit) }
}
