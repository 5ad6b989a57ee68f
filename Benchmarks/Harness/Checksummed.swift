internal import Foundation

/// A result that is boiled down to one number, to be compared with the other side's.
protocol Checksummed {
  /// The same for equal results, and most likely another for different ones.
  var checksum: Int { get }
}

extension Int: Checksummed {
  var checksum: Int { self }
}

extension Double: Checksummed {
  var checksum: Int { Int(truncatingIfNeeded: bitPattern) }
}

extension String: Checksummed {
  var checksum: Int { utf8.reduce(utf8.count) { $0 &* 31 &+ Int($1) } }
}

extension Date: Checksummed {
  /// Of the milliseconds: below, two correct readers of a text may round differently.
  var checksum: Int { Int((timeIntervalSince1970 * 1000).rounded()) }
}

extension Optional: Checksummed where Wrapped: Checksummed {
  var checksum: Int { self?.checksum ?? -1 }
}

extension Array: Checksummed where Element: Checksummed {
  var checksum: Int { reduce(count) { $0 &* 31 &+ $1.checksum } }
}
