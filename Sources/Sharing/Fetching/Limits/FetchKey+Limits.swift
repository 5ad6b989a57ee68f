extension FetchKey {
  /// Returns a key that delivers at most one value in each interval.
  ///
  ///     @SharedReader(.fetchAll(sql: "SELECT * FROM price").throttle(for: .milliseconds(100)))
  ///     var prices: [Price]
  ///
  /// The first value is shown immediately, and a change after a quiet interval too. Values that
  /// follow within the interval are held back, and the newest one is shown at its end. So the last
  /// value always arrives. Errors are held back in the same way. ``SharedReader/load()`` and
  /// `quiesce()` do not wait for the interval.
  ///
  /// The query does not run within the interval, unless another reader of the same query wants its
  /// value: a group over many rows costs one run in each interval, however many commits there are.
  ///
  /// Keys that differ only in the limit share one query, but not the value that their readers show.
  /// A limit replaces an earlier one. It does not apply to ``values(of:)``.
  ///
  /// - Parameter interval: The shortest time between two values.
  /// - Returns: A key for the same query.
  public func throttle(for interval: Duration) -> FetchKey { limited(.throttle(interval)) }

  /// Returns a key that delivers a value when no newer one has come for an interval.
  ///
  ///     @SharedReader(.fetchAll(sql: "SELECT * FROM job").debounce(for: .milliseconds(50)))
  ///     var jobs: [Job]
  ///
  /// The first value is shown immediately. Each change after it is shown when the database has been
  /// quiet for the interval, so the last value always arrives. While changes keep coming faster
  /// than that, readers keep the value before them: use ``throttle(for:)`` to follow such changes.
  /// Errors are held back in the same way. ``SharedReader/load()`` and `quiesce()` do not wait for
  /// the interval.
  ///
  /// Keys that differ only in the limit share one query, but not the value that their readers show.
  /// A limit replaces an earlier one. It does not apply to ``values(of:)``.
  ///
  /// - Parameter interval: How long no newer value must have come.
  /// - Returns: A key for the same query.
  public func debounce(for interval: Duration) -> FetchKey { limited(.debounce(interval)) }
}
