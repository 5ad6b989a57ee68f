internal import Glibc

/// Decodes bytes that should be UTF-8.
///
/// `String(validating:as:)` takes ten times as long as `String(decoding:as:)`, but the latter
/// repairs invalid bytes. So the decoded string is compared with the bytes, unless all of them are
/// ASCII and therefore valid.
enum UTF8Text {
  /// Decodes the bytes, or returns `nil` when they are not valid UTF-8.
  static func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let decoded = String(decoding: bytes, as: UTF8.self)
    return isASCII(bytes) || isSame(decoded, bytes) ? decoded : nil
  }

  /// Decodes bytes that a zero byte follows, or returns `nil` when they are not valid UTF-8.
  ///
  /// The standard library validates such bytes while it decodes them. This takes nine tenths of the
  /// time of ``string(_:)`` for ASCII and two thirds for other text, but not less for text that is
  /// stored inside a `String` value. It ends the string at the first zero byte, so the rare text
  /// that contains one is left to ``string(_:)``.
  @inline(__always)
  static func string(terminated bytes: UnsafePointer<UInt8>, count: Int) -> String? {
    if count > 15 {
      let text = UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self)
      if let string = String(validatingCString: text), string.utf8.count == count { return string }
    }
    return string(UnsafeBufferPointer(start: bytes, count: count))
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

extension String {
  /// Returns whether both texts have the same bytes. SQLite compares bytes; Swift's `==` takes all
  /// Unicode forms of a character as equal.
  func hasSameBytes(as other: String) -> Bool {
    // Strings with the same representation are equal, and most strings that differ have different
    // lengths.
    let bits = unsafeBitCast(self, to: (UInt64, UInt64).self)
    let otherBits = unsafeBitCast(other, to: (UInt64, UInt64).self)
    if bits == otherBits { return true }
    guard utf8.count == other.utf8.count else { return false }
    let isSame = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { others in
        bytes.isEmpty || memcmp(bytes.baseAddress!, others.baseAddress!, bytes.count) == 0
      }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}

extension UInt8 {
  /// The two hexadecimal digits of the byte.
  package func hexadecimal(uppercase: Bool = false) -> String {
    CollectionOfOne(self).hexadecimal(uppercase: uppercase)
  }
}

extension Collection<UInt8> {
  /// The hexadecimal digits of the bytes, two for each.
  package func hexadecimal(uppercase: Bool = false) -> String {
    let digits: StaticString = uppercase ? "0123456789ABCDEF" : "0123456789abcdef"
    /// Writes the digits of some bytes.
    func write(_ bytes: UnsafeBufferPointer<UInt8>, _ buffer: UnsafeMutableBufferPointer<UInt8>) {
      for index in bytes.indices {
        buffer[2 * index] = digits.utf8Start[Int(bytes[index] >> 4)]
        buffer[2 * index + 1] = digits.utf8Start[Int(bytes[index] & 15)]
      }
    }
    return String(unsafeUninitializedCapacity: 2 * count) { buffer in
      // The bytes of an array or of data are contiguous: to ask for each takes ten times as long.
      let isWritten: Void? = withContiguousStorageIfAvailable { write($0, buffer) }
      if isWritten == nil { Array(self).withUnsafeBufferPointer { write($0, buffer) } }
      return 2 * count
    }
  }
}
