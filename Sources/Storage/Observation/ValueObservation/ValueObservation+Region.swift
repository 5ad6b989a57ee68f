internal import WellspringSystem

extension ValueObservation {
  /// Observes the value that a closure fetches, and runs the closure again when a given region has
  /// changed, whatever its SQL reads.
  ///
  ///     let observation = ValueObservation.tracking(region: DatabaseRegion(table: "item")) { db in
  ///       try loadSlowly(db)
  ///     }
  ///
  /// Changes of anything else do not count, so that the value may be outdated when the closure
  /// reads more than the region. Commits of other processes always count, because their region is
  /// unknown.
  ///
  /// - Parameters:
  ///   - region: A region whose changes count.
  ///   - otherRegions: Further regions whose changes count.
  ///   - fetch: Reads the database.
  /// - Returns: An observation that has not been started.
  public static func tracking(
    region: any DatabaseRegionConvertible,
    _ otherRegions: any DatabaseRegionConvertible...,
    fetch: @escaping @Sendable (Database) throws -> Value
  ) -> ValueObservation {
    tracking(regions: [region] + otherRegions, fetch: fetch)
  }

  /// Observes the value that a closure fetches, and runs the closure again when given regions have
  /// changed: see ``tracking(region:_:fetch:)``.
  public static func tracking(
    regions: [any DatabaseRegionConvertible],
    fetch: @escaping @Sendable (Database) throws -> Value
  ) -> ValueObservation {
    tracking { db in
      let recorder = db.regionRecorder
      recorder?.record(try db.region(of: regions))
      db.regionRecorder = nil
      defer { db.regionRecorder = recorder }
      return try fetch(db)
    }
  }

  /// Observes the value that a closure fetches, and finds its region in the first run only.
  ///
  /// It saves some time for closures that always read the same tables, columns and rows: less than
  /// a microsecond for each statement. When a later run reads anything else, changes of that are
  /// missed. The region of a request contains the tables of its associations, whatever rows the
  /// first run finds.
  ///
  /// - Parameter fetch: Reads the same part of the database each time.
  /// - Returns: An observation that has not been started.
  public static func trackingConstantRegion(
    _ fetch: @escaping @Sendable (Database) throws -> Value
  ) -> ValueObservation {
    ValueObservation(
      source: .query {
        // Guards the region of the first run that has succeeded.
        let known = Lock(DatabaseRegion?.none)
        return { db, _ in
          guard let recorder = db.regionRecorder, let region = known.withLock({ $0 }) else {
            db.regionRecorder?.coversLaterRuns = true
            let value = try fetch(db)
            let region = db.regionRecorder?.region
            known.withLock { $0 = region }
            return value
          }
          recorder.record(region)
          db.regionRecorder = nil
          defer { db.regionRecorder = recorder }
          return try fetch(db)
        }
      }
    )
  }
}
