internal import Foundation

/// A result that can be reduced to a number, for comparison with the other side's result.
protocol Checksummed {
  /// A number that is equal for equal results, and very likely differs for different results.
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
  /// The checksum of the milliseconds. Below them, two correct parsers may round differently.
  var checksum: Int { Int((timeIntervalSince1970 * 1000).rounded()) }
}

extension Optional: Checksummed where Wrapped: Checksummed {
  var checksum: Int { self?.checksum ?? -1 }
}

extension Array: Checksummed where Element: Checksummed {
  var checksum: Int { reduce(count) { $0 &* 31 &+ $1.checksum } }
}
