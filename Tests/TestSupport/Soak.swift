internal import Foundation

/// The size of long-running and random tests. Names of the former begin with "soak".
///
/// `make soak` runs them at full size, and the normal suite at about a hundredth of it, or at
/// `WELLSPRING_SCALE` times that size, as nightly runs do.
package enum Soak {
  private static let environment = ProcessInfo.processInfo.environment
  package static let isFull = environment["WELLSPRING_SOAK"] != nil
  private static let scale = environment["WELLSPRING_SCALE"].flatMap(Int.init) ?? 1

  /// Returns a number of steps, or a stride, which is smaller at full size.
  package static func size(_ full: Int, inSuite small: Int) -> Int {
    if isFull { return full }
    return full > small ? min(full, small * scale) : max(full, small / scale)
  }

  /// The seeds of a random test. `WELLSPRING_SEED` is the first one.
  package static func seeds(_ full: Int, inSuite small: Int) -> [UInt64] {
    let first = environment["WELLSPRING_SEED"].flatMap { UInt64($0) } ?? 1
    return (0..<UInt64(size(full, inSuite: small))).map { first + $0 }
  }
}
