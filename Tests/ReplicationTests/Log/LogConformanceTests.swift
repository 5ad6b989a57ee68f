import Foundation
import Replication
import Testing
import TestSupport

/// The requirements for each engine of a log.
@Suite(.serialized)
struct LogConformanceTests {
  @Test(arguments: LogEngine.allCases)
  func `a new log is empty`(engine: LogEngine) throws {
    let log = try engine.newLog()()
    defer { log.close() }
    #expect(try log.tail() == .start)
    #expect(try log.first() == nil)
    #expect(try log.entries(after: .start, limit: 10, waitingUpTo: .zero) == [])
  }

  @Test(arguments: LogEngine.allCases)
  func `entries are dense, in order, and equal for all readers`(engine: LogEngine) throws {
    let connect = try engine.newLog()
    let (writer, reader) = (try connect(), try connect())
    defer { [writer, reader].forEach { $0.close() } }
    for number in 1...150 {
      let position = LogPosition(Int64(number))
      let outcome = try writer.append(
        Self.bytes(number),
        expecting: LogPosition(Int64(number - 1))
      )
      #expect(outcome == .appended(position))
    }
    let entries = try reader.allEntries()
    #expect(entries.map(\.position.sequence) == Array(1...150))
    #expect(entries.map(\.bytes) == (1...150).map(Self.bytes))
    #expect(try writer.allEntries() == entries)
    #expect(try reader.tail() == LogPosition(150))
    #expect(try reader.first() == LogPosition(1))
  }

  @Test(arguments: LogEngine.allCases)
  func `an append that expects another end changes nothing`(engine: LogEngine) throws {
    let connect = try engine.newLog()
    let (one, two) = (try connect(), try connect())
    defer { [one, two].forEach { $0.close() } }
    #expect(try one.append([1], expecting: .start) == .appended(LogPosition(1)))
    #expect(try two.append([2], expecting: .start) == .conflict(tail: LogPosition(1)))
    #expect(try one.append([2], expecting: .start) == .conflict(tail: LogPosition(1)))
    #expect(try two.append([2], expecting: LogPosition(7)) == .conflict(tail: LogPosition(1)))
    #expect(try two.append([3], expecting: LogPosition(1)) == .appended(LogPosition(2)))
    #expect(try one.append([4], expecting: LogPosition(1)) == .conflict(tail: LogPosition(2)))
    #expect(try one.allEntries().map(\.bytes) == [[1], [3]])
  }

  @Test(arguments: LogEngine.allCases)
  func `entries hold any bytes, up to the limit`(engine: LogEngine) throws {
    let log = try engine.newLog()()
    defer { log.close() }
    let largest = (0..<log.entryLimit).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let all: [[UInt8]] = [[], [0], Array(0...255), largest, largest, largest, largest]
    for (number, bytes) in all.enumerated() {
      _ = try log.append(bytes, expecting: LogPosition(Int64(number)))
    }
    #expect(throws: ReplicationLogError.tooLarge(bytes: log.entryLimit + 1, limit: log.entryLimit))
    {
      try log.append(largest + [1], expecting: LogPosition(Int64(all.count)))
    }
    #expect(try log.allEntries().map(\.bytes) == all)
  }

  @Test(arguments: LogEngine.allCases)
  func `a waiting reader gets an entry when it is appended`(engine: LogEngine) async throws {
    let connect = try engine.newLog()
    let (writer, reader) = (try connect(), try connect())
    defer { [writer, reader].forEach { $0.close() } }
    let received = OwnThread.run {
      var received: [LogEntry] = []
      while received.count < 100 {
        let after = received.last?.position ?? .start
        received += try reader.entries(after: after, limit: 10, waitingUpTo: .seconds(60))
      }
      return received
    }
    for number in 1...100 {
      _ = try writer.append(Self.bytes(number), expecting: LogPosition(Int64(number - 1)))
    }
    #expect(try await received.value.map(\.bytes) == (1...100).map(Self.bytes))
  }

  @Test(arguments: LogEngine.allCases)
  func `soak: of several writers, one wins each position`(engine: LogEngine) async throws {
    let connect = try engine.newLog()
    let count = Soak.size(1000, inSuite: 20)
    let writers = (1...4).map { writer in
      OwnThread.run {
        let log = try connect()
        defer { log.close() }
        var won: [LogEntry] = []
        var tail = try log.tail()
        while won.count < count {
          let bytes = Self.bytes(writer * 1_000_000 + won.count)
          switch try log.append(bytes, expecting: tail) {
          case .appended(let position):
            won.append(LogEntry(position: position, bytes: bytes))
            tail = position
          case .conflict(let position):
            tail = position
          case .unknown(let reason):
            Issue.record("\(reason)")
            return won
          }
        }
        return won
      }
    }
    var won: [LogEntry] = []
    for writer in writers { won += try await writer.value }
    let log = try connect()
    defer { log.close() }
    #expect(try log.allEntries() == won.sorted { $0.position < $1.position })
  }

  @Test(arguments: LogEngine.allCases)
  func `trimmed entries are gone, and the last one stays`(engine: LogEngine) throws {
    let log = try engine.newLog()()
    defer { log.close() }
    for number in 1...10 {
      _ = try log.append(Self.bytes(number), expecting: LogPosition(Int64(number - 1)))
    }
    try log.trim(below: LogPosition(1))
    #expect(try log.first() == LogPosition(1))
    try log.trim(below: LogPosition(6))
    #expect(try log.first() == LogPosition(6))
    #expect(throws: ReplicationLogError.trimmed(first: LogPosition(6))) {
      try log.entries(after: LogPosition(4), limit: 10, waitingUpTo: .zero)
    }
    #expect(throws: ReplicationLogError.trimmed(first: LogPosition(6))) {
      try log.entries(after: .start, limit: 10, waitingUpTo: .zero)
    }
    let rest = try log.entries(after: LogPosition(5), limit: 10, waitingUpTo: .zero)
    #expect(rest.map(\.position.sequence) == Array(6...10))
    try log.trim(below: LogPosition(100))
    #expect(try log.first() == LogPosition(10))
    #expect(try log.append([1], expecting: LogPosition(10)) == .appended(LogPosition(11)))
  }

  @Test(arguments: LogEngine.allCases)
  func `a reader beyond the end learns that entries were lost`(engine: LogEngine) throws {
    let log = try engine.newLog()()
    defer { log.close() }
    _ = try log.append([1], expecting: .start)
    #expect(throws: ReplicationLogError.lost(tail: LogPosition(1))) {
      try log.entries(after: LogPosition(2), limit: 1, waitingUpTo: .seconds(60))
    }
  }

  @Test(arguments: LogEngine.allCases)
  func `closing ends waiting and later calls`(engine: LogEngine) async throws {
    let log = try engine.newLog()()
    _ = try log.append([1], expecting: .start)
    let waiting = OwnThread.run {
      try log.entries(after: LogPosition(1), limit: 1, waitingUpTo: .seconds(600))
    }
    // The reader may wait already, or begin after the end.
    log.close()
    await #expect(throws: ReplicationLogError.closed) { try await waiting.value }
    #expect(throws: ReplicationLogError.closed) { try log.tail() }
    #expect(throws: ReplicationLogError.closed) { try log.append([], expecting: .start) }
    log.close()
  }

  @Test(arguments: LogEngine.allCases)
  func `the usage grows with the entries`(engine: LogEngine) throws {
    let log = try engine.newLog()()
    defer { log.close() }
    for number in 0..<3 {
      _ = try log.append(
        Array(repeating: 7, count: 1_000_000),
        expecting: LogPosition(Int64(number))
      )
    }
    #expect(try log.usage().bytes >= 3_000_000)
  }

  static func bytes(_ number: Int) -> [UInt8] { Array("entry \(number)".utf8) }
}
