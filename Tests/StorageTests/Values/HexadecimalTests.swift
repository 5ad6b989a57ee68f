import Foundation
import Testing

@testable import Storage

@Suite struct HexadecimalTests {
  @Test func `each byte is two digits, whatever holds the bytes`() {
    for byte: UInt8 in 0...255 {
      #expect(byte.hexadecimal() == String(format: "%02x", byte))
    }
    #expect(UInt8(171).hexadecimal(uppercase: true) == "AB")
    let bytes: [UInt8] = [0, 1, 171, 255]
    #expect(bytes.hexadecimal() == "0001abff")
    #expect(Data(bytes).dropFirst().hexadecimal(uppercase: true) == "01ABFF")
    #expect(AnySequence(bytes).map { $0 }.lazy.filter { $0 > 0 }.hexadecimal() == "01abff")
    #expect(Data().hexadecimal() == "")
  }
}
