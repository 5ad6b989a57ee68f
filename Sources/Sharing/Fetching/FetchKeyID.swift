/// The identity of a ``FetchKey``: a database and a request.
public struct FetchKeyID: Hashable, @unchecked Sendable {
  // Safe to share: requests are Sendable, but `AnyHashable` does not express that.
  let database: ObjectIdentifier?
  private let request: AnyHashable

  init(database: ObjectIdentifier?, request: some ObservationRequest) {
    self.database = database
    self.request = AnyHashable(request)
  }
}
