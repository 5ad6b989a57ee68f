import Replication
import Testing

/// A log in memory has the faults that its test wants.
struct MemoryLogTests {
  private static func log(_ count: Int) throws -> MemoryLog {
    let log = MemoryLog()
    for number in 0..<count {
      _ = try log.append([UInt8(number + 1), 0xF0], expecting: LogPosition(Int64(number)))
    }
    return log
  }

  private static func read(_ fault: LogFaults.Reading) throws -> [LogEntry] {
    let log = try log(3)
    log.faults.reading[LogPosition(2)] = fault
    return try log.entries(after: .start, limit: 10, waitingUpTo: .zero)
  }

  @Test(arguments: [
    (LogFaults.Reading.lost, [1, 3] as [Int64]), (.doubled, [1, 2, 2, 3]), (.reordered, [1, 3, 2]),
  ])
  func `entries are lost, doubled and reordered`(
    fault: LogFaults.Reading,
    expected: [Int64]
  ) throws {
    #expect(try Self.read(fault).map(\.position.sequence) == expected)
  }

  @Test func `entries are cut, and have wrong bits`() throws {
    #expect(try Self.read(.cut(count: 1)).map(\.bytes) == [[1, 0xF0], [2], [3, 0xF0]])
    #expect(try Self.read(.flippedBit(8)).map(\.bytes) == [[1, 0xF0], [2, 0xF1], [3, 0xF0]])
  }

  @Test func `answers to appends are lost, late, forgotten, and those to others`() throws {
    let log = try Self.log(1)
    let at = LogPosition.init(_:)
    log.faults.appending = [.answerLost]
    #expect(try log.append([2], expecting: at(1)) == .unknown("the answer was lost"))
    #expect(try log.tail() == at(2))
    log.faults.appending = [.requestLost]
    #expect(try log.append([3], expecting: at(2)) == .unknown("the request was lost"))
    #expect(try log.tail() == at(2))
    log.faults.appending = [.late, .forgotten]
    #expect(try log.append([3], expecting: at(2)) == .unknown("the answer is late"))
    #expect(try log.append([4], expecting: at(3)) == .appended(at(4)))
    #expect(try log.tail() == at(3))
    log.faults.appending = [.otherAnswer(.conflict(tail: at(9)))]
    #expect(try log.append([4], expecting: at(3)) == .conflict(tail: at(9)))
    #expect(try log.append([5], expecting: at(4)) == .appended(at(5)))
  }

  @Test func `a log is unavailable for some calls, full, and loses its end`() throws {
    let log = try Self.log(3)
    let other = MemoryLog(sharing: log)
    log.faults.unavailableCalls = 2
    for _ in 1...2 {
      #expect(throws: ReplicationLogError.self) { try log.tail() }
      #expect(try other.tail() == LogPosition(3))
    }
    #expect(try log.tail() == LogPosition(3))
    log.faults.isFull = true
    #expect(try log.usage().isFull)
    #expect(NamedFailure { _ = try log.append([], expecting: LogPosition(3)) }.name == "full")
    log.loseEntries(after: LogPosition(1))
    #expect(
      NamedFailure {
        _ = try other.entries(after: LogPosition(3), limit: 1, waitingUpTo: .zero)
      }.name == "lost"
    )
  }
}
