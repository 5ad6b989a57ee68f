extension Duration {
  /// The number of nanoseconds: none for a negative duration, and the largest number for one that
  /// has more.
  package var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard self > .zero else { return 0 }
    let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : whole &+ UInt64(attoseconds / 1_000_000_000)
  }

  /// The number of whole milliseconds, within the same limits.
  package var milliseconds: Int { Int(clamping: nanoseconds / 1_000_000) }
}
