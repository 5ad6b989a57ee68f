/// The body of an entry that begins an epoch: the new primary.
///
/// The random number tells the claims of two nodes apart, also when they have the same address.
struct EpochClaim: Hashable, Sendable {
  var nonce: UInt64
  /// The address that a write on another node reports.
  var address: String

  init(address: String) {
    nonce = .random(in: 0 ... .max)
    self.address = address
  }

  /// Reads the body of an entry.
  ///
  /// - Throws: ``EntryError``.
  init(decoding body: [UInt8]) throws(EntryError) {
    var reader = ByteReader(body[...])
    nonce = try reader.integer(UInt64.self)
    guard let address = String(validating: try reader.take(reader.remaining), as: UTF8.self) else {
      throw .malformed("the address of the primary is not text")
    }
    self.address = address
  }

  /// Returns the body of an entry.
  func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(number: nonce)
    return bytes + Array(address.utf8)
  }
}
