import Foundation

/// The size of long-running tests, whose names begin with "soak".
///
/// `make soak` runs them at full size, and the normal suite at about a hundredth of it.
enum Soak {
  static let isFull = ProcessInfo.processInfo.environment["WELLSPRING_SOAK"] != nil

  static func size(_ full: Int, inSuite small: Int) -> Int { isFull ? full : small }
}
