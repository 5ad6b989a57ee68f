import Testing

@testable import Replication

struct ProtobufTests {
  private static func fields(_ bytes: [UInt8]) throws -> [ProtobufReader.Field] {
    var reader = ProtobufReader(bytes[...])
    var fields: [ProtobufReader.Field] = []
    while let field = try reader.next() { fields.append(field) }
    return fields
  }

  @Test(
    arguments: [
      (0, [8, 0]), (1, [8, 1]), (127, [8, 127]), (128, [8, 128, 1]), (300, [8, 172, 2]),
      (.max, [8] + Array(repeating: 255, count: 9) + [1]),
    ] as [(UInt64, [UInt8])]
  )
  func `numbers take seven bits a byte`(number: UInt64, bytes: [UInt8]) throws {
    var writer = ProtobufWriter()
    writer.append(number, as: 1)
    #expect(writer.bytes == bytes)
    #expect(try Self.fields(bytes) == [.init(number: 1, value: .number(number))])
  }

  @Test func `bytes come after their count`() throws {
    var writer = ProtobufWriter()
    writer.append("ab".utf8, as: 2)
    writer.append([UInt8](), as: 16)
    #expect(writer.bytes == [18, 2, 97, 98, 130, 1, 0])
    #expect(
      try Self.fields(writer.bytes) == [
        .init(number: 2, value: .bytes([97, 98])), .init(number: 16, value: .bytes([])),
      ]
    )
  }

  @Test func `fields of a fixed size are skipped`() throws {
    let bytes: [UInt8] = [9, 1, 2, 3, 4, 5, 6, 7, 8, 21, 1, 2, 3, 4, 8, 1]
    #expect(try Self.fields(bytes).last == .init(number: 1, value: .number(1)))
  }

  @Test(
    arguments: [
      // A number that is cut off, one of more than 64 bits, and one without an end.
      [8], [8, 128], [8] + Array(repeating: 128, count: 10) + [1],
      [8] + Array(repeating: 255, count: 20),
      // Fewer bytes than their count, and a count that no memory has.
      [18, 2, 97], [18] + Array(repeating: 255, count: 9) + [1],
      // Fixed sizes that are cut off, and formats that do not exist.
      [9, 1], [21, 1], [11], [12], [14, 1],
    ] as [[UInt8]]
  )
  func `malformed messages are refused`(bytes: [UInt8]) {
    #expect(throws: ProtobufReader.Malformed.self) { try Self.fields(bytes) }
  }

  @Test(
    arguments: [
      ([0, 0, 0, 0, 0], []), ([0, 0, 0, 0, 2, 8, 1], [8, 1]),
      // Cut off, too long, compressed, and without a frame.
      ([0, 0, 0, 0, 2, 8], nil), ([0, 0, 0, 0, 1, 8, 1], nil), ([1, 0, 0, 0, 1, 8], nil), ([], nil),
      ([0, 255, 255, 255, 255, 1], nil),
    ] as [([UInt8], [UInt8]?)]
  )
  func `one whole message is taken out of its frame`(bytes: [UInt8], content: [UInt8]?) {
    #expect(GRPCMessage.content(of: bytes).map(Array.init) == content)
    if let content { #expect(GRPCMessage.framed(content) == bytes) }
  }

  @Test func `a read that is spoiled is refused, or gives other values`() throws {
    let pair: [UInt8] = [10, 2, 107, 49, 16, 4, 24, 5, 32, 1, 42, 3, 1, 2, 3]
    let range: [UInt8] = [10, 0, 18, UInt8(pair.count)] + pair + [32, 1]
    let response = [10, UInt8(range.count)] + range
    let header: [UInt8] = [10, 6, 8, 7, 24, 9, 32, 2]
    let bytes = header + [16, 1, 26, UInt8(response.count)] + response
    let answer = try EtcdTransaction(protobuf: bytes[...])
    #expect(answer.header.cluster_id == "7")
    #expect(answer.header.revision == "9")
    #expect(answer.header.raft_term == "2")
    #expect(answer.succeeded == true)
    #expect(answer.hasRanges(1))
    #expect(answer.pairs(0).map { Array($0.key) } == [Array("k1".utf8)])
    #expect(answer.pairs(0).map { $0.value.map(Array.init) } == [[1, 2, 3]])
    #expect(answer.pairs(0).map(\.mod_revision) == ["5"])
    // No spoiled answer may trap.
    for index in bytes.indices {
      _ = try? EtcdTransaction(protobuf: bytes[..<index])
      for bit in 0..<8 {
        var spoiled = bytes
        spoiled[index] ^= 1 << bit
        _ = try? EtcdTransaction(protobuf: spoiled[...])
      }
    }
  }
}
