/// Decodes bytes that should be UTF-8.
///
/// `String(validating:as:)` takes ten times as long as `String(decoding:as:)`, but the latter
/// repairs invalid bytes. So the decoded string is compared with the bytes, unless all of them are
/// ASCII and therefore valid.
@usableFromInline
enum UTF8Text {
  /// Decodes the bytes, or returns `nil` when they are not valid UTF-8.
  @usableFromInline
  static func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let decoded = String(decoding: bytes, as: UTF8.self)
    return isASCII(bytes) || isSame(decoded, bytes) ? decoded : nil
  }

  /// Returns whether the bytes are valid UTF-8.
  static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    isASCII(bytes) || isSame(String(decoding: bytes, as: UTF8.self), bytes)
  }

  /// Returns whether no byte has its highest bit set.
  @inline(__always)
  private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let raw = UnsafeRawBufferPointer(bytes)
    let count = raw.count
    var bits: UInt64 = 0
    var position = 0
    while position &+ 8 <= count {
      bits |= raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      position &+= 8
    }
    if count >= 8 {
      // The last eight bytes; some of them are read for the second time.
      bits |= raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
    } else {
      while position < count {
        bits |= UInt64(raw[position])
        position &+= 1
      }
    }
    return bits & 0x8080_8080_8080_8080 == 0
  }

  private static func isSame(_ text: String, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var text = text
    return text.withUTF8 { $0.elementsEqual(bytes) }
  }
}
