extension DatabaseRegionObservation {
  /// A commit that touches the region.
  public struct Change: Hashable, Sendable {
    /// The number of the commit. Snapshots that contain it and nothing later have the same number.
    public let number: UInt64
    /// The part of the region that the commit has changed, or may have.
    public let region: DatabaseRegion
  }
}
