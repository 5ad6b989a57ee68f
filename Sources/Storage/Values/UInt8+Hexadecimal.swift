extension UInt8 {
  /// The two hexadecimal digits of the byte.
  package func hexadecimal(uppercase: Bool = false) -> String {
    (self < 16 ? "0" : "") + String(self, radix: 16, uppercase: uppercase)
  }
}

extension Collection<UInt8> {
  /// The hexadecimal digits of the bytes, two for each.
  package func hexadecimal(uppercase: Bool = false) -> String {
    String(unsafeUninitializedCapacity: 2 * count) { buffer in
      let letter = UInt8(ascii: uppercase ? "A" : "a") - 10
      func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : letter + value
      }
      var place = 0
      for byte in self {
        buffer[place] = digit(byte >> 4)
        buffer[place + 1] = digit(byte & 15)
        place += 2
      }
      return place
    }
  }
}
