/// A query whose value is observed: it is fetched now, and again after each commit that changes
/// what it reads.
///
///     let observation = ValueObservation.tracking { db in
///       try Item.fetchAll(db, sql: "SELECT * FROM item ORDER BY name")
///     }
///     for try await items in observation.values(in: pool) {
///       print(items.count)
///     }
///
/// - The first value is the current one. It does not wait for a running write of a pool.
/// - After any commit that changes the result, by this process or another one, a value follows that
///   includes it. When commits come faster than values are taken, the newest value wins.
/// - No value shows uncommitted data, and no value is older than the one before it.
/// - An equal value is not delivered when `Value` is `Equatable`.
/// - A query that fails is run again when the cause may have passed.
/// - When the file of a pool that writes is moved or replaced, an error says so, and nothing more
///   is committed to it while there are observations. A pool that only watches follows the new
///   file.
///
/// The library finds out what the query reads each time it runs, so each run may read other tables.
public struct ValueObservation<Value: Sendable>: Sendable {
  var pipeline: any ObservationPipeline<Value>
  var options = ObservationOptions()

  init(pipeline: any ObservationPipeline<Value>) {
    self.pipeline = pipeline
  }

  init(source: ObservationSource<Value>) {
    self.init(pipeline: StagedPipeline(source: source))
  }

  /// Returns an observation of another pipeline, with the options of this one.
  func with<New: Sendable>(
    _ pipeline: any ObservationPipeline<New>
  ) -> ValueObservation<New> {
    var observation = ValueObservation<New>(pipeline: pipeline)
    observation.options = options
    return observation
  }

  /// Observes what a closure fetches.
  ///
  /// - Parameter fetch: Reads the database, and nothing else that changes. It is called on various
  ///   threads, one call at a time.
  /// - Returns: An observation that has not been started.
  public static func tracking(
    _ fetch: @escaping @Sendable (Database) throws -> Value
  ) -> ValueObservation {
    ValueObservation(source: .query { { db, _ in try fetch(db) } })
  }

  /// Observes what a request fetches.
  ///
  /// Observations of equal requests to one database share one query: it runs once for each change.
  /// A late subscriber gets the latest value.
  ///
  /// - Parameter request: What to fetch.
  /// - Returns: An observation that has not been started.
  public static func tracking<Request: ObservationRequest<Value>>(
    _ request: Request
  ) -> ValueObservation {
    ValueObservation(source: .request(request) { { db, _ in try request.fetch(db) } })
  }
}
