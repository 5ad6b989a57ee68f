import Testing

@testable import Recording
@testable import Storage

@Suite struct RecordedBytesTests {
  @Test(
    arguments: [
      .min, .min + 1, -0x8000_0001, -65, -64, -1, 0, 1, 63, 64, 8191, 8192, 0x8000_0000, .max - 1,
      .max,
    ] as [Int64]
  )
  func `a number is read as it was written`(number: Int64) throws {
    var bytes: [UInt8] = []
    bytes.append(signed: number)
    var reader = RecordedBytes(bytes)
    #expect(try reader.signed() == number)
    #expect(reader.isAtEnd)
    #expect(bytes.count <= 10)
  }

  @Test(arguments: [(0, 1), (-64, 1), (63, 1), (64, 2), (-8192, 2), (.max, 10)] as [(Int64, Int)])
  func `a small number is short`(number: Int64, count: Int) {
    var bytes: [UInt8] = []
    bytes.append(signed: number)
    #expect(bytes.count == count)
  }

  @Test(
    arguments: [
      .null, .integer(-7), .real(-0.0), .real(.infinity), .real(1e-300), .text([]),
      .text([0xFF, 0]),
      .blob([]), .blob([1, 2, 3]),
    ] as [RecordedValue]
  )
  func `a value is read as it was written`(value: RecordedValue) throws {
    var bytes: [UInt8] = []
    bytes.append(value)
    var reader = RecordedBytes(bytes)
    let read = try reader.value()
    #expect(read == value)
    if case .real(let number) = value, case .real(let other) = read {
      #expect(number.bitPattern == other.bitPattern)
    }
    #expect(reader.isAtEnd)
    for count in bytes.indices {
      var cut = RecordedBytes(Array(bytes[..<count]))
      #expect(throws: RecordingError.self) { try cut.value() }
    }
  }

  @Test(arguments: [
    // Eleven groups, a tenth group over 64 bits, and no end.
    [UInt8](repeating: 0x80, count: 10) + [0], [UInt8](repeating: 0xFF, count: 9) + [2], [0x80],
    [],
  ])
  func `a number of too many digits throws`(bytes: [UInt8]) {
    var reader = RecordedBytes(bytes)
    #expect(throws: RecordingError.self) { try reader.unsigned() }
  }

  @Test func `a count that more bytes would need throws`() {
    var bytes: [UInt8] = []
    bytes.append(count: 4)
    bytes += [1, 2, 3]
    var reader = RecordedBytes(bytes)
    #expect(throws: RecordingError.damaged("it is cut off")) { try reader.slice() }
    var values = RecordedBytes(bytes)
    #expect(throws: RecordingError.self) { try values.values(.max) }
  }

  @Test func `a text that is not UTF-8 throws`() {
    var reader = RecordedBytes([2, 0xC3, 0x28])
    #expect(throws: RecordingError.damaged("a text is not UTF-8")) { try reader.text() }
  }
}
