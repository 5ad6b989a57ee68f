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
      for place in bytes.indices {
        buffer[2 * place] = digits.utf8Start[Int(bytes[place] >> 4)]
        buffer[2 * place + 1] = digits.utf8Start[Int(bytes[place] & 15)]
      }
    }
    return String(unsafeUninitializedCapacity: 2 * count) { buffer in
      // The bytes of an array or of data are in one place: to ask for each takes ten times as long.
      let isWritten: Void? = withContiguousStorageIfAvailable { write($0, buffer) }
      if isWritten == nil { Array(self).withUnsafeBufferPointer { write($0, buffer) } }
      return 2 * count
    }
  }
}
