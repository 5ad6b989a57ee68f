import Foundation
import Storage
import Testing
import TestSupport

@testable import Replication

/// The answers of the receiver to requests from the network.
@Suite(.patient) struct WriteReceiverTests {
  let nodes: TestNodes

  init() throws { nodes = try TestNodes() }

  private func request(
    _ name: String,
    _ body: String,
    begun: WriteToken = WriteToken(epoch: 0, sequence: 0)
  ) -> WriteRequest {
    WriteRequest(id: WriteID(), begun: begun, isRetry: false, name: name, body: Array(body.utf8))
  }

  private func answer(_ receiver: WriteReceiver, _ bytes: [UInt8]) async throws -> WriteAnswer {
    try WriteAnswer(decoding: await receiver.answer(bytes))
  }

  @Test func `a request that cannot be run is answered with the reason, and writes nothing`()
    async throws
  {
    var options = TestNodes.options("one")
    options.largestRequest = 1000
    let one = try await nodes.open("one", options: options)
    let receiver = WriteReceiver(one, accepting: [AddNumber.self])
    var otherVersion = request("AddNumber", #"{"number": 1}"#).encoded()
    otherVersion[4] = 9
    let deep = String(repeating: "[", count: 800)
    let refused: [(bytes: [UInt8], reason: String)] = [
      ([], "not those of a forwarded write"), (Array("GET / HTTP/1.1".utf8), "not those"),
      (Array(otherVersion.prefix(20)), "version 9"), (otherVersion, "version 9"),
      (Array(request("AddNumber", "").encoded().prefix(30)), "cut off"),
      (request("Missing", "{}").encoded(), "Missing is not registered"),
      (request("AddNumber", "{}").encoded(), "not one of AddNumber"),
      (request("AddNumber", #"{"number": "x"}"#).encoded(), "not one of AddNumber"),
      (request("AddNumber", #"{"number": 1e99}"#).encoded(), "not one of AddNumber"),
      (request("AddNumber", deep).encoded(), "not one of AddNumber"),
      (request("AddNumber", String(repeating: " ", count: 1000)).encoded(), "may have 1000"),
    ]
    for (bytes, reason) in refused {
      let answer = try await answer(receiver, bytes)
      guard case .notAccepted(let text) = answer else {
        Issue.record("the answer is \(answer)")
        continue
      }
      #expect(text.contains(reason))
    }
    #expect(try await one.numbers() == [])
    #expect(try await one.storedWrites() == 0)
    let answer = try await answer(receiver, request("AddNumber", #"{"number": 1}"#).encoded())
    guard case .ended(.output(Array("10".utf8)), _) = answer else {
      Issue.record("the answer is \(answer)")
      return
    }
    try one.close()
  }

  @Test func `a node that is not the primary says so, also of types that it does not know`()
    async throws
  {
    let one = try await nodes.open("one")
    let two = try await nodes.open("two", role: .replica)
    let receiver = WriteReceiver(two, accepting: [])
    let bytes = request("AddNumber", #"{"number": 1}"#).encoded()
    guard case .notWritten = try await answer(receiver, bytes) else {
      Issue.record("the replica has accepted a write")
      return
    }
    try one.close()
    try two.close()
    guard case .notWritten = try await answer(receiver, bytes) else {
      Issue.record("the closed node has accepted a write")
      return
    }
  }

  @Test func `a primary that knows less than the caller does not write`() async throws {
    let one = try await nodes.open("one")
    let receiver = WriteReceiver(one, accepting: [AddNumber.self])
    let begun = WriteToken(epoch: 2, sequence: 1)
    let bytes = request("AddNumber", #"{"number": 1}"#, begun: begun).encoded()
    guard case .notWritten = try await answer(receiver, bytes) else {
      Issue.record("an overtaken primary has accepted a write")
      return
    }
    #expect(try await one.numbers() == [])
    try one.close()
  }

  @Test func `a request whose id was removed is refused, however late it comes`() async throws {
    var options = TestNodes.options("one")
    options.keptRequestTime = .zero
    let one = try await nodes.open("one", options: options)
    let receiver = WriteReceiver(one, accepting: [AddNumber.self])
    let late = request("AddNumber", #"{"number": 0}"#, begun: one.lastToken)
    guard case .ended = try await answer(receiver, late.encoded()) else {
      Issue.record("the first request was refused")
      return
    }
    for number in 1...30 {
      let next = request("AddNumber", #"{"number": \#(number)}"#, begun: one.lastToken)
      guard case .ended = try await answer(receiver, next.encoded()) else {
        Issue.record("request \(number) was refused")
        return
      }
    }
    #expect(try await one.storedWrites() < 20)
    guard case .notAccepted(let text) = try await answer(receiver, late.encoded()) else {
      Issue.record("the late request was run again")
      return
    }
    #expect(text.contains("keptRequestTime"))
    #expect(try await one.numbers() == Array(0...30))
    try one.close()
  }

  @Test func `a commit that the log does not have is not acknowledged, and found later`()
    async throws
  {
    let log = MemoryLog(sharing: nodes.log)
    var options = TestNodes.options("one")
    options.promise = .local
    let one = try await nodes.open("one", log: log, options: options)
    let receiver = WriteReceiver(one, accepting: [AddNumber.self])
    _ = try await one.writeReturningToken { try $0.execute(sql: "CREATE TABLE t (a)") }
    log.faults.isFull = true
    let bytes = request("AddNumber", #"{"number": 1}"#, begun: one.lastToken).encoded()
    guard case .unknown = try await answer(receiver, bytes) else {
      Issue.record("a commit was acknowledged that the log does not have")
      return
    }
    #expect(try await one.numbers() == [1])
    log.faults.isFull = false
    var last = try await answer(receiver, bytes)
    // An upload that began while the log was full may fail after that.
    let deadline = ContinuousClock.now + Patience.limit
    while case .unknown = last, ContinuousClock.now < deadline {
      last = try await answer(receiver, bytes)
    }
    guard case .ended(.output, let token) = last else {
      Issue.record("the write was not found: \(last)")
      return
    }
    #expect(try nodes.log.tail().sequence >= token.sequence)
    #expect(one.status.outbox == 0)
    #expect(try await one.numbers() == [1])
    try one.close()
  }

  @Test func `rows are replicated, and a snapshot is not needed for them`() async throws {
    var options = TestNodes.options("one")
    options.keptRequestTime = .zero
    let one = try await nodes.open("one", options: options)
    let two = try await nodes.open("two", role: .replica)
    let receiver = WriteReceiver(one, accepting: [AddNumber.self])
    for number in 1...20 {
      let body = #"{"number": \#(number)}"#
      _ = await receiver.answer(request("AddNumber", body, begun: one.lastToken).encoded())
    }
    try await two.catchUp(with: one)
    #expect(try await one.numbers() == Array(1...20))
    try expectEqual(one, two)
    try one.close()
    try two.close()
  }
}
