internal import Dispatch
internal import WellspringPlatform

/// Someone who is told of each commit of a connection that touches a region.
final class RegionObserver: @unchecked Sendable {
  // Safe to share: the region is used by the access that holds the connection, the lock guards the
  // handlers, the rest is constant.
  private let parts: [any DatabaseRegionConvertible]
  // Guards the handlers, which go when nobody wants to be told any more. They are called outside.
  private let handlers: Lock<Handlers?>

  struct Handlers: Sendable {
    let onError: @Sendable (any Error) -> Void
    let onChange: @Sendable (Database, DatabaseRegionObservation.Change) -> Void
    let onClose: @Sendable () -> Void
  }

  /// Where errors are told.
  private static let errors = DispatchQueue(label: "wellspring.region-errors")

  /// The region in the connection's present schema; `nil` when it is not known.
  private(set) var region: DatabaseRegion?
  private var failure: String?

  init(_ parts: [any DatabaseRegionConvertible], _ handlers: Handlers) {
    self.parts = parts
    self.handlers = Lock(handlers)
  }

  /// Nobody wants to be told any more.
  ///
  /// - Returns: The handlers that it had.
  @discardableResult
  func cancel() -> Handlers? {
    handlers.withLock { handlers in
      defer { handlers = nil }
      return handlers
    }
  }

  /// The database was closed: nothing comes any more.
  func close() { cancel()?.onClose() }

  /// Learns the region, when it is not known.
  func resolve(_ db: Database) {
    guard region == nil else { return }
    do {
      region = try db.region(of: parts)
      failure = nil
    } catch {
      // One that persists is told once.
      let description = String(describing: error)
      if failure != description {
        // Not inside of this access, in which the closure could not use the database.
        Self.errors.async { self.handlers.withLock { $0 }?.onError(error) }
      }
      failure = description
    }
  }

  func forgetRegion() { region = nil }

  /// Tells of a commit, if it touches the region.
  func tell(_ db: Database, number: UInt64, _ changes: DatabaseChanges) {
    // What depends on a table that does not exist is touched by changes of the schema only, which
    // count as everything.
    let region = region ?? DatabaseRegion()
    if changes.isEmpty { return }
    if case .tables = changes, !region.isTouched(by: changes) { return }
    guard let handlers = handlers.withLock({ $0 }) else { return }
    let touched = DatabaseRegion(changes).intersection(region)
    handlers.onChange(db, DatabaseRegionObservation.Change(number: number, region: touched))
  }
}
