/// The two sides of a benchmark.
struct Contest {
  /// The work with this library.
  let ours: Side
  /// The same work with SQLite's C functions, unless the title says otherwise.
  let baseline: Side

  /// Measures each side once.
  ///
  /// - Throws: ``ChecksumMismatch`` when the sides have different results.
  func round(oursFirst: Bool) throws -> (ours: Duration, baseline: Duration) {
    let first = try (oursFirst ? ours : baseline).measure()
    let second = try (oursFirst ? baseline : ours).measure()
    let (ours, baseline) = oursFirst ? (first, second) : (second, first)
    guard ours.checksum == baseline.checksum else {
      throw ChecksumMismatch(ours: ours.checksum, baseline: baseline.checksum)
    }
    return (ours.duration, baseline.duration)
  }
}
