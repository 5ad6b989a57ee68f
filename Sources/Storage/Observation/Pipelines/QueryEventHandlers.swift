internal import WellspringPlatform

/// Closures that are called when a query runs.
struct QueryEventHandlers: Sendable {
  let willFetch: (@Sendable () -> Void)?
  let willTrackRegion: (@Sendable (DatabaseRegion) -> Void)?
  let databaseDidChange: (@Sendable () -> Void)?

  /// Returns a fetch that calls the handlers.
  func wrap<Value: Sendable>(
    _ fetch: @escaping ObservationFetch<Value>
  ) -> ObservationFetch<Value> {
    // Guards the region of the last run; the handlers are called outside.
    let last = Lock(DatabaseRegion?.none)
    return { db, number in
      if last.withLock({ $0 }) != nil { databaseDidChange?() }
      willFetch?()
      defer {
        let region = db.regionRecorder?.region ?? DatabaseRegion()
        let before = last.withLock { last in
          defer { last = region }
          return last
        }
        if before != region { willTrackRegion?(region) }
      }
      return try fetch(db, number)
    }
  }
}
