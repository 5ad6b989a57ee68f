extension ValueObservation {
  /// Not available: observations read in a read-only access, so that they share their runs.
  @available(
    *,
    unavailable,
    message: "an observation only reads: write before it starts, or in onChange"
  )
  public var requiresWriteAccess: Bool {
    get { fatalError("unavailable") }
    set { fatalError("unavailable") }
  }
}
