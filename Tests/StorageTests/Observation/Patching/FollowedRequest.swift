import Testing
import WellspringSystem

@testable import Storage

/// A request that is observed in all ways that can be patched.
final class FollowedRequest: Sendable {
  let request: SQLRequest<Row>
  // Guards the last values.
  private let values = Lock(RequestValues())
  private let observations = Lock<[AnyDatabaseCancellable]>([])

  init(_ request: SQLRequest<Row>, in database: some DatabaseWriter) {
    self.request = request
    func follow<Value>(
      _ observation: ValueObservation<Value>,
      _ member: any WritableKeyPath<RequestValues, Value?> & Sendable
    ) {
      let cancellable = observation.start(in: database, scheduling: .async) {
        Issue.record($0)
      } onChange: { [self] value in
        values.withLock { $0[keyPath: member] = value }
      }
      observations.withLock { $0.append(cancellable) }
    }
    follow(.tracking(request), \.all)
    follow(.trackingOne(request), \.first)
    follow(.trackingCount(request), \.count)
  }

  var last: RequestValues { values.withLock { $0 } }

  func fresh(_ db: Database) throws -> RequestValues {
    try RequestValues(
      all: request.fetchAll(db),
      first: request.fetchOne(db),
      count: request.fetchCount(db)
    )
  }

  func cancel() { for observation in observations.withLock({ $0 }) { observation.cancel() } }
}

/// The values that are made of the rows of one request.
struct RequestValues: Equatable, Sendable {
  var all: [Row]?
  var first: Row??
  var count: Int?
}
