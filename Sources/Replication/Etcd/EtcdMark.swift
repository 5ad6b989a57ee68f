internal import Foundation

/// What distinguishes an entry from those of other appends: random bytes before its own.
struct EtcdMark {
  static let size = 16

  let bytes: [UInt8]

  init() {
    var random = SystemRandomNumberGenerator()
    bytes = (0..<Self.size).map { _ in UInt8.random(in: .min ... .max, using: &random) }
  }

  /// Returns whether a stored value has this mark.
  func isOn(_ value: Data?) -> Bool { value?.prefix(Self.size).elementsEqual(bytes) ?? false }
}
