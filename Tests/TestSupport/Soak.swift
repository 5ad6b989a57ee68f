internal import Foundation

/// The size of long-running tests, whose names begin with "soak".
///
/// `make soak` runs them at full size, and the normal suite at about a hundredth of it.
package enum Soak {
  package static let isFull = ProcessInfo.processInfo.environment["WELLSPRING_SOAK"] != nil

  package static func size(_ full: Int, inSuite small: Int) -> Int { isFull ? full : small }

  /// The seeds of a random test. `WELLSPRING_SEED` is the first one.
  package static func seeds(_ full: Int, inSuite small: Int) -> [UInt64] {
    let first = ProcessInfo.processInfo.environment["WELLSPRING_SEED"].flatMap { UInt64($0) } ?? 1
    return (0..<UInt64(size(full, inSuite: small))).map { first + $0 }
  }
}
