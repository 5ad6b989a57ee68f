/// The SHA-256 hash of an entry, which the next entry of the history names.
public struct EntryHash: Hashable, Sendable {
  /// The 32 bytes of the hash.
  public let bytes: [UInt8]

  /// The hash that the first entry of a history names.
  static let none = EntryHash(verified: [UInt8](repeating: 0, count: EntryHash.byteCount))

  static let byteCount = 32

  /// Hashes bytes.
  init(of bytes: some Sequence<UInt8>) {
    var state = SHA256()
    self.bytes = state.hash(Array(bytes))
  }

  /// Makes a hash of its bytes.
  ///
  /// - Returns: `nil` if there are not 32 of them.
  public init?(bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count == EntryHash.byteCount else { return nil }
    self.bytes = bytes
  }

  private init(verified bytes: [UInt8]) { self.bytes = bytes }
}

extension EntryHash: CustomStringConvertible {
  /// The first eight bytes in hexadecimal digits.
  public var description: String { hexadecimal(bytes.prefix(8)) }
}

/// Writes bytes as hexadecimal digits.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  for byte in bytes {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}
