/// The identity of a replicated database, which all of its nodes share.
public struct DatabaseID: Hashable, Sendable {
  /// The 16 bytes of the identity.
  public let bytes: [UInt8]

  static let byteCount = 16

  /// Makes a random identity.
  public init() {
    var generator = SystemRandomNumberGenerator()
    bytes = (0..<DatabaseID.byteCount).map { _ in .random(in: 0...255, using: &generator) }
  }

  /// Makes an identity of its bytes.
  ///
  /// - Returns: `nil` if there are not 16 of them.
  public init?(bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count == DatabaseID.byteCount else { return nil }
    self.bytes = bytes
  }
}

extension DatabaseID: CustomStringConvertible {
  /// The bytes in hexadecimal digits.
  public var description: String { hexadecimal(bytes) }
}
