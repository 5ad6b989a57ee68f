extension UInt8 {
  /// The two hexadecimal digits of the byte.
  package func hexadecimal(uppercase: Bool = false) -> String {
    (self < 16 ? "0" : "") + String(self, radix: 16, uppercase: uppercase)
  }
}
