/// Reads numbers and bytes from bytes that may be hostile: it throws, and never traps.
struct ByteReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  var remaining: Int { bytes.endIndex - position }

  mutating func take(_ count: Int) throws(EntryError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= remaining else { throw .cutOff }
    defer { position += count }
    return bytes[position..<(position + count)]
  }

  /// Reads a number whose most significant byte comes first.
  mutating func integer<Number: FixedWidthInteger>(
    _ type: Number.Type
  ) throws(EntryError) -> Number {
    var number: Number = 0
    for byte in try take(Number.bitWidth / 8) {
      number = Number(truncatingIfNeeded: UInt64(truncatingIfNeeded: number) << 8 | UInt64(byte))
    }
    return number
  }
}

extension [UInt8] {
  /// Appends a number whose most significant byte comes first.
  mutating func append(number: some FixedWidthInteger) {
    for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
