/// What the instruments of the database record about its observations.
extension ObservationBroker {
  func recordStart(of query: ObservedQuery) {
    guard let instrumentation else { return }
    instrumentation.record(.observationStarted(query.activity))
  }

  func recordEnd(of query: ObservedQuery) {
    guard let instrumentation else { return }
    instrumentation.record(.observationEnded(query.activity))
  }

  /// Records queries that have run in one snapshot, and those of them that have failed.
  func recordRun(of batch: [ObservedQuery], _ outcomes: [FetchOutcome]) {
    guard let instrumentation else { return }
    for (query, outcome) in zip(batch, outcomes) {
      guard let error = outcome.error else { continue }
      instrumentation.record(.observationFailed(query.activity, error))
    }
    instrumentation.record(
      .batch(
        DatabaseActivity.Batch(
          queryCount: batch.count,
          deliveryCount: outcomes.count(where: \.mustDeliver),
          duration: Duration(clockNanoseconds: outcomes.reduce(0) { $0 &+ $1.duration })
        )
      )
    )
  }
}

extension ObservedQuery {
  /// The query as instruments see it.
  fileprivate var activity: DatabaseActivity.Observation {
    DatabaseActivity.Observation(id: id.rawValue, statements: statements)
  }
}
