/// The identity of one write: 128 random bits.
///
/// ``WriteForwarder`` makes an id for each write. Pass one of your own, such as the idempotency key
/// of a client's request, if the same write may come again in another call.
public struct WriteID: Hashable, Sendable {
  /// The 16 bytes of the id.
  public let bytes: [UInt8]

  static let byteCount = 16

  /// Makes a random id.
  public init() {
    var generator = SystemRandomNumberGenerator()
    bytes = (0..<WriteID.byteCount).map { _ in .random(in: 0...255, using: &generator) }
  }

  /// Makes an id of its bytes.
  ///
  /// - Returns: `nil` if there are not 16 of them.
  public init?(bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count == WriteID.byteCount else { return nil }
    self.bytes = bytes
  }

  /// Makes an id of 32 hexadecimal digits, with or without hyphens, such as a UUID.
  ///
  /// - Returns: `nil` if the text has other characters, or another number of digits.
  public init?(_ text: some StringProtocol) {
    // A longer text comes from outside, and need not be read.
    guard text.utf8.count <= 64 else { return nil }
    let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }.map {
      Character(UnicodeScalar($0)).hexDigitValue
    }
    guard digits.count == WriteID.byteCount * 2 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    self.bytes = bytes
  }
}

extension WriteID: CustomStringConvertible {
  /// The bytes in hexadecimal digits.
  public var description: String { hexadecimal(bytes) }
}
