internal import Dispatch
internal import WellspringPlatform

/// Calls handlers for each commit of a connection that touches a region.
final class RegionObserver: @unchecked Sendable {
  // Safe to share: the region is used by the access that holds the connection, the lock guards the
  // handlers, the rest is constant.
  private let parts: [any DatabaseRegionConvertible]
  // Guards the handlers, which are dropped when the observation is cancelled. They are called
  // outside.
  private let handlers: Lock<Handlers?>

  struct Handlers: Sendable {
    let onError: @Sendable (any Error) -> Void
    /// Called with the part of the region that a commit has touched.
    let onChange: @Sendable (Database, CommitNumber, DatabaseRegion) -> Void
    let onClose: @Sendable () -> Void
  }

  /// Where errors are delivered.
  private static let errors = DispatchQueue(label: "wellspring.region-errors")

  /// The region in the connection's present schema; `nil` when it is not known.
  private(set) var region: DatabaseRegion?
  private var failure: String?

  init(_ parts: [any DatabaseRegionConvertible], _ handlers: Handlers) {
    self.parts = parts
    self.handlers = Lock(handlers)
  }

  /// Ends the observation.
  ///
  /// - Returns: The handlers that it had.
  @discardableResult
  func cancel() -> Handlers? {
    handlers.withLock { handlers in
      defer { handlers = nil }
      return handlers
    }
  }

  /// Ends the observation because the database was closed.
  func close() { cancel()?.onClose() }

  /// Determines the region, unless it is known.
  func resolve(_ db: Database) {
    guard region == nil else { return }
    do {
      region = try db.region(of: parts)
      failure = nil
    } catch {
      // An error that persists is delivered once.
      let description = String(describing: error)
      if failure != description {
        // Not inside this access, in which the closure could not use the database.
        Self.errors.async { self.handlers.withLock { $0 }?.onError(error) }
      }
      failure = description
    }
  }

  func forgetRegion() { region = nil }

  /// Calls the handler, if the commit touches the region.
  func receive(_ db: Database, number: CommitNumber, _ changes: DatabaseChanges) {
    // A region that depends on a table that does not exist is touched by changes of the schema
    // only, which count as everything.
    let region = region ?? DatabaseRegion()
    if changes.isEmpty { return }
    if case .tables = changes, !region.isTouched(by: changes) { return }
    guard let handlers = handlers.withLock({ $0 }) else { return }
    let touched = DatabaseRegion(changes).intersection(region)
    handlers.onChange(db, number, touched)
  }
}
