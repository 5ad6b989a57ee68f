import Foundation
import Testing

/// How long tests run: in `make soak`, at full size.
enum Soak {
  static let isFull = ProcessInfo.processInfo.environment["WELLSPRING_SOAK"] != nil

  /// The size of a test, or its full size in a soak.
  static func count(_ small: Int, full: Int) -> Int { isFull ? full : small }

  /// How long a test may take, on a machine that does much else.
  static var limit: TimeLimitTrait.Duration { .minutes(isFull ? 120 : 5) }

  /// The seeds of a random test. A soak begins at `WELLSPRING_SEED`.
  static func seeds(_ small: Int, full: Int) -> [UInt64] {
    let first = ProcessInfo.processInfo.environment["WELLSPRING_SEED"].flatMap { UInt64($0) } ?? 1
    return (0..<UInt64(count(small, full: full))).map { first + $0 }
  }
}
