import Foundation
import Testing

/// How long tests run: in `make soak`, at full size.
enum Soak {
  static let isFull = ProcessInfo.processInfo.environment["WELLSPRING_SOAK"] != nil

  /// The size of a test, or its full size in a soak.
  static func count(_ small: Int, full: Int) -> Int { isFull ? full : small }

  /// How long a test may take, on a machine that does much else.
  static var limit: TimeLimitTrait.Duration { .minutes(isFull ? 120 : 5) }
}
