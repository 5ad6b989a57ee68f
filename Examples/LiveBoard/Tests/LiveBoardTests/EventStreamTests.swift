import Synchronization
import Testing

@testable import LiveBoard

@Suite struct EventStreamTests {
  /// Reads what a connection would send, and counts how often it is suspended and resumed.
  private final class Reader: Sendable {
    let resumptions = Counter()

    func read(_ stream: EventStream, _ size: Int = 100) -> (EventStream.Chunk, String) {
      var buffer = [UInt8](repeating: 0, count: size)
      let chunk = buffer.withUnsafeMutableBytes { bytes in
        stream.read(into: bytes, suspend: {}, resume: { self.resumptions.increase() })
      }
      guard case .bytes(let count) = chunk else { return (chunk, "") }
      return (chunk, String(decoding: buffer.prefix(count), as: UTF8.self))
    }
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func increase() { count.withLock { $0 += 1 } }
  }

  private let reader = Reader()

  @Test func `A connection takes events in order, in parts, and then waits`() {
    let stream = EventStream()
    #expect(stream.send(Array("one ".utf8)) == .accepted)
    #expect(stream.send(Array("two".utf8)) == .accepted)
    #expect(reader.read(stream, 5).1 == "one t")
    #expect(reader.read(stream, 5).1 == "wo")
    #expect(reader.read(stream).0 == .nothing)
    #expect(reader.resumptions.value == 0)
    #expect(stream.send(Array("three".utf8)) == .accepted)
    #expect(reader.resumptions.value == 1)
    #expect(reader.read(stream).1 == "three")
  }

  @Test func `A full buffer takes no event, and an empty one takes an event of any size`() {
    let stream = EventStream(limit: 10)
    #expect(stream.send([UInt8](repeating: 97, count: 50)) == .accepted)
    #expect(stream.send([98]) == .isBehind)
    #expect(reader.read(stream, 45).0 == .bytes(45))
    #expect(stream.send([UInt8](repeating: 98, count: 6)) == .isBehind)
    #expect(stream.send([UInt8](repeating: 98, count: 5)) == .accepted)
    #expect(reader.read(stream).1 == "aaaaabbbbb")
  }

  @Test func `Waiting ends when everything is sent, or the connection is closed`() async {
    let stream = EventStream()
    await stream.waitUntilSent()
    _ = stream.send([97])
    async let isSent: Void = stream.waitUntilSent()
    #expect(reader.read(stream).1 == "a")
    await isSent
    _ = stream.send([97])
    async let isClosed: Void = stream.waitUntilSent()
    stream.close()
    await isClosed
    #expect(stream.send([97]) == .isClosed)
  }

  @Test func `A stream that ends sends what is pending, and wakes its connection`() {
    let stream = EventStream()
    #expect(reader.read(stream).0 == .nothing)
    _ = stream.send([97])
    stream.end()
    #expect(stream.send([98]) == .isClosed)
    #expect(reader.resumptions.value == 1)
    #expect(reader.read(stream).1 == "a")
    #expect(reader.read(stream).0 == .end)
  }

  @Test func `A heartbeat is sent only where nothing else is pending`() {
    let stream = EventStream()
    stream.sendHeartbeat()
    stream.sendHeartbeat()
    #expect(reader.read(stream).1 == ":\n\n")
  }

  @Test func `The closure for the end is called once, also when it comes late`() {
    let calls = Counter()
    let stream = EventStream()
    stream.onClose { calls.increase() }
    stream.close()
    stream.close()
    #expect(calls.value == 1)
    stream.onClose { calls.increase() }
    #expect(calls.value == 2)
  }
}
