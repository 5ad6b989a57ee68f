/// Someone who is told of each commit of a connection that touches a region.
final class RegionObserver: @unchecked Sendable {
  // Safe to share: the region is used by the access that holds the connection, the rest is constant.
  private let parts: [any DatabaseRegionConvertible]
  private let onError: @Sendable (any Error) -> Void
  private let onChange: @Sendable (Database, DatabaseRegionObservation.Change) -> Void

  /// The region in the connection's present schema; `nil` when it is not known.
  private(set) var region: DatabaseRegion?
  private var failure: String?

  init(
    _ parts: [any DatabaseRegionConvertible],
    onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable (Database, DatabaseRegionObservation.Change) -> Void
  ) {
    self.parts = parts
    self.onError = onError
    self.onChange = onChange
  }

  /// Learns the region, when it is not known.
  func resolve(_ db: Database) {
    guard region == nil else { return }
    do {
      region = try db.region(of: parts)
      failure = nil
    } catch {
      // One that persists is told once.
      let description = String(describing: error)
      if failure != description { onError(error) }
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
    let touched = DatabaseRegion(changes).intersection(region)
    onChange(db, DatabaseRegionObservation.Change(number: number, region: touched))
  }
}
