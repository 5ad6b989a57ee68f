import Foundation

/// The size of the long tests, whose names start with "soak".
///
/// `make soak` runs them at full size. The test suite runs them at about a hundredth of that size.
enum Soak {
  private static let isFull = ProcessInfo.processInfo.environment["WELLSPRING_SOAK"] != nil

  static func size(_ full: Int, inSuite small: Int) -> Int { isFull ? full : small }
}
