import Foundation

/// How much the long runs do. Their names begin with "soak": `make soak` runs them at full size, and the
/// suite the same code at a hundredth of it or so.
enum Soak {
  private static let isFull = ProcessInfo.processInfo.environment["WELLSPRING_SOAK"] != nil

  static func size(_ full: Int, inSuite small: Int) -> Int { isFull ? full : small }
}
