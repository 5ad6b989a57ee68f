import Foundation
import Testing

@testable import Replication

@Suite struct WriteIDTests {
  @Test func `an id is read from its text and its bytes, and from a UUID`() {
    let id = WriteID()
    #expect(WriteID(id.description) == id)
    #expect(WriteID(bytes: id.bytes) == id)
    #expect(WriteID() != id)
    let uuid = UUID()
    let bytes = withUnsafeBytes(of: uuid.uuid) { Array($0) }
    #expect(WriteID(uuid.uuidString)?.bytes == bytes)
  }

  @Test(arguments: [
    "", "00", String(repeating: "0", count: 31), String(repeating: "0", count: 33),
    String(repeating: "g", count: 32), String(repeating: "é", count: 16),
    String(repeating: "０", count: 32), String(repeating: "-", count: 1_000_000),
  ])
  func `a text that is not an id is refused`(text: String) {
    #expect(WriteID(text) == nil)
  }

  @Test func `other numbers of bytes are refused`() {
    for count in [0, 15, 17] { #expect(WriteID(bytes: [UInt8](repeating: 0, count: count)) == nil) }
  }
}
