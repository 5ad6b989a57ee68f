import Storage
import Testing
import TestSupport

@testable import Replication

/// Requests and answers as bytes.
@Suite struct WriteRequestTests {
  private static let request = WriteRequest(
    id: WriteID(),
    begun: WriteToken(epoch: 3, sequence: 70_000),
    isRetry: true,
    name: "Säle",
    body: Array("{}".utf8)
  )

  private static let answers: [WriteAnswer] = [
    .ended(.output(Array("[1]".utf8)), WriteToken(epoch: 2, sequence: 9)),
    .ended(
      .refusal(ForwardedWriteError("no", resultCode: .SQLITE_CONSTRAINT_UNIQUE)),
      WriteToken(epoch: 2, sequence: 9)
    ), .ended(.refusal(ForwardedWriteError("")), WriteToken(epoch: -1, sequence: .max)),
    .notWritten("not the primary"), .notAccepted("unknown"), .unknown(""),
  ]

  @Test func `a request is the same after its way`() throws {
    #expect(try WriteRequest(decoding: Self.request.encoded()) == Self.request)
    var first = Self.request
    first.isRetry = false
    #expect(try WriteRequest(decoding: first.encoded()) == first)
  }

  @Test(arguments: answers)
  func `an answer is the same after its way`(answer: WriteAnswer) throws {
    #expect(try WriteAnswer(decoding: answer.encoded()) == answer)
  }

  @Test func `bytes that are cut off are refused`() {
    let request = Self.request.encoded()
    for count in 0..<(request.count - Self.request.body.count) {
      #expect(throws: ForwardingFormatError.self) {
        try WriteRequest(decoding: Array(request.prefix(count)))
      }
    }
    let answer = Self.answers[0].encoded()
    for count in 0..<(answer.count - 3) {
      #expect(throws: ForwardingFormatError.self) {
        try WriteAnswer(decoding: Array(answer.prefix(count)))
      }
    }
  }

  @Test func `another version is named`() throws {
    var bytes = Self.request.encoded()
    bytes[4] = 7
    #expect(throws: ForwardingFormatError.otherVersion(7)) { try WriteRequest(decoding: bytes) }
    bytes = Self.answers[0].encoded()
    bytes[4] = 8
    #expect(throws: ForwardingFormatError.otherVersion(8)) { try WriteAnswer(decoding: bytes) }
  }

  @Test func `random changes of the bytes are read or refused`() {
    var random = SeededGenerator(seed: 1)
    for original in [Self.request.encoded()] + Self.answers.map({ $0.encoded() }) {
      for _ in 0..<2_000 {
        var bytes = original
        for _ in 0..<random.number(in: 1..<4) {
          bytes[random.number(below: bytes.count)] = UInt8(random.number(below: 256))
        }
        if random.chance(20) { bytes = Array(bytes.prefix(random.number(below: bytes.count))) }
        _ = try? WriteRequest(decoding: bytes)
        _ = try? WriteAnswer(decoding: bytes)
        _ = try? WriteResult(decoding: bytes[...])
      }
    }
  }
}
