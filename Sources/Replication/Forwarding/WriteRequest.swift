/// A write on its way to the primary.
struct WriteRequest: Hashable, Sendable {
  /// The identity, the same in all attempts.
  let id: WriteID
  /// The place of the caller's node before the first attempt. The write is behind it.
  let begun: WriteToken
  /// Whether an earlier attempt may arrive later, or has been made.
  var isRetry: Bool
  /// The name of the type.
  let name: String
  /// The value as JSON.
  let body: [UInt8]
}

/// Why forwarded bytes cannot be read.
enum ForwardingFormatError: Error, Hashable {
  case otherFormat
  case otherVersion(UInt8)
  case damaged
}

extension ForwardingFormatError {
  /// Reads the bytes after the first bytes and the version of a format.
  static func reading<Value>(
    _ bytes: [UInt8],
    after magic: [UInt8],
    _ read: (inout ByteReader) throws -> Value
  ) throws(ForwardingFormatError) -> Value {
    guard bytes.starts(with: magic) else { throw .otherFormat }
    do {
      var reader = ByteReader(bytes.dropFirst(magic.count))
      let version = try reader.integer(UInt8.self)
      guard version == WriteRequest.version else {
        throw ForwardingFormatError.otherVersion(version)
      }
      return try read(&reader)
    } catch {
      throw error as? ForwardingFormatError ?? .damaged
    }
  }
}

extension ForwardingFormatError: CustomStringConvertible {
  var description: String {
    switch self {
    case .otherFormat: "the bytes are not those of a forwarded write."
    case .otherVersion(let version):
      "the other node uses version \(version) of the format, and this one \(WriteRequest.version)."
    case .damaged: "the bytes are cut off or damaged."
    }
  }
}

// "WSWR", the version, the flags, the id, `begun`, the length of the name, the name, and the body.
extension WriteRequest {
  static let version: UInt8 = 1
  private static let magic = Array("WSWR".utf8)
  /// How many bytes there are before the name.
  private static let headByteCount = 4 + 1 + 1 + WriteID.byteCount + 8 + 8 + 1
  static let longestName = 255

  /// The request as bytes.
  func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    let name = Array(name.utf8.prefix(Self.longestName))
    bytes.reserveCapacity(Self.headByteCount + name.count + body.count)
    bytes += Self.magic
    bytes += [Self.version, isRetry ? 1 : 0]
    bytes += id.bytes
    bytes.append(number: begun.epoch)
    bytes.append(number: begun.sequence)
    bytes.append(UInt8(name.count))
    bytes += name
    bytes += body
    return bytes
  }

  /// Reads a request, which may be hostile.
  ///
  /// - Throws: ``ForwardingFormatError``.
  init(decoding bytes: [UInt8]) throws(ForwardingFormatError) {
    self = try ForwardingFormatError.reading(bytes, after: Self.magic) { reader in
      let isRetry = try reader.integer(UInt8.self) & 1 == 1
      guard let id = WriteID(bytes: try reader.take(WriteID.byteCount)) else {
        throw ForwardingFormatError.damaged
      }
      let begun = WriteToken(
        epoch: try reader.integer(Int64.self),
        sequence: try reader.integer(Int64.self)
      )
      let name = try reader.take(Int(try reader.integer(UInt8.self)))
      guard let name = String(validating: name, as: UTF8.self) else {
        throw ForwardingFormatError.damaged
      }
      return WriteRequest(
        id: id,
        begun: begun,
        isRetry: isRetry,
        name: name,
        body: Array(try reader.take(reader.remaining))
      )
    }
  }
}
