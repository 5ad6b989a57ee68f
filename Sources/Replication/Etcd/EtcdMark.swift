internal import Foundation

/// Random bytes before the bytes of an entry. They distinguish it from the entries of other
/// appends.
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
