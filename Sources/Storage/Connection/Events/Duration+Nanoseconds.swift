internal import Dispatch

extension Duration {
  /// The duration in nanoseconds: 0 for a negative one, and the largest number for one of more than
  /// 500 years.
  var wholeNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (product, overflows) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflows else { return .max }
    let (sum, isTooLarge) = product.addingReportingOverflow(UInt64(attoseconds) / 1_000_000_000)
    return isTooLarge ? .max : sum
  }

  /// Creates a duration from nanoseconds of a clock.
  init(clockNanoseconds: UInt64) {
    self = .nanoseconds(Int64(clamping: clockNanoseconds))
  }
}

extension DispatchTime {
  /// The moment after a duration from now.
  static func after(_ duration: Duration) -> DispatchTime {
    .now() + .nanoseconds(Int(clamping: duration.wholeNanoseconds))
  }
}
