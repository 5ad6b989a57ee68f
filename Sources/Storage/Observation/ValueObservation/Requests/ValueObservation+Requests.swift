extension ValueObservation {
  /// Observes all elements of a request.
  ///
  ///     let observation = ValueObservation.tracking(Player.filter { $0.score >= 1000 })
  ///     // SELECT * FROM "player" WHERE "score" >= 1000
  ///
  /// A request for rows with known keys runs again after changes of those rows only. Observations
  /// of equal requests to one database share one query.
  ///
  /// - Parameter request: A request of any type that is `Hashable` and `Sendable`, as the types of
  ///   this library are.
  /// - Returns: An observation that has not been started.
  public static func tracking<Request: FetchRequest & Hashable & Sendable>(
    _ request: Request
  ) -> ValueObservation
  where Request.RowDecoder: Fetchable & Sendable, Value == [Request.RowDecoder] {
    tracking(AllElements(request))
  }

  /// Observes the first element of a request: `nil` while there is none.
  ///
  ///     let observation = ValueObservation.trackingOne(Player.filter(key: 1))
  ///     // SELECT * FROM "player" WHERE "id" = 1
  ///
  /// - Returns: An observation that has not been started.
  public static func trackingOne<Request: FetchRequest & Hashable & Sendable>(
    _ request: Request
  ) -> ValueObservation
  where Request.RowDecoder: Fetchable & Sendable, Value == Request.RowDecoder? {
    tracking(FirstElement(request))
  }

  /// Observes the number of rows of a request.
  ///
  ///     let observation = ValueObservation.trackingCount(Player.filter { $0.score >= 1000 })
  ///     // SELECT COUNT(*) FROM "player" WHERE "score" >= 1000
  ///
  /// - Returns: An observation that has not been started.
  public static func trackingCount<Request: FetchRequest & Hashable & Sendable>(
    _ request: Request
  ) -> ValueObservation where Value == Int {
    tracking(RowCount(request))
  }
}
