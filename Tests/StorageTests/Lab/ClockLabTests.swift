import Foundation
import Testing
import TestSupport
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

/// Clocks that jump, and times that no program expects: nothing waits for ever.
@Suite struct ClockLabTests {
  /// In seconds since 1970: before 1970, after 2038, and after 2106. Nanoseconds since 1970 count
  /// to the year 2262 only.
  private static let times = [
    -2_147_000_000, -86_400, -1, 0, 2_147_483_648, 4_294_967_296, 9_000_000_000,
  ]

  private func setModificationTime(of path: String, to seconds: Int) {
    var times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
    #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
  }

  @Test func `a journal from the future does not keep a reader waiting`() throws {
    let directory = TemporaryDirectory()
    let journal = directory.file() + "-journal"
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: journal))
    #expect(JournalGate.isClosed(path: directory.file()))
    for seconds in Self.times + [Int(time(nil)) + 3600] {
      setModificationTime(of: journal, to: seconds)
      #expect(!JournalGate.isClosed(path: directory.file()), "\(seconds)")
    }
  }

  @Test(arguments: times)
  func `a file of any time is watched`(seconds: Int) async throws {
    let directory = TemporaryDirectory()
    let writer = try DatabaseQueue(path: directory.file())
    try await writer.write { db in try db.execute(sql: "CREATE TABLE item (name)") }
    setModificationTime(of: directory.file(), to: seconds)
    var configuration = Configuration()
    configuration.readonly = true
    let pool = try DatabasePool(path: directory.file(), configuration: configuration)
    let (counts, cancellable) = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? 0
    }.record(in: pool)
    #expect(try await counts.nextValue() == 0)
    for count in 1...3 {
      try SQLiteShell.run(
        directory.file(),
        "INSERT INTO item VALUES ('cup')",
        options: ["-cmd", ".timeout 10000"]
      )
      setModificationTime(of: directory.file(), to: seconds + count)
      #expect(try await counts.value { $0 >= count } == count)
    }
    cancellable.cancel()
  }

  @Test func `files before 1970 keep their times apart`() throws {
    let directory = TemporaryDirectory()
    try Data([1]).write(to: URL(fileURLWithPath: directory.file()))
    var seen: Set<Int64> = []
    for seconds in [-2_000_000_000, -7, -6, 0, 1] {
      setModificationTime(of: directory.file(), to: seconds)
      let status = try #require(FileStatus(path: directory.file()))
      #expect(status.modificationTime == Int64(seconds) * 1_000_000_000)
      seen.insert(status.modificationTime)
    }
    #expect(seen.count == 5)
  }

  @Test func `the age of a time is a number, however far the clocks are apart`() {
    #expect(WallClock.age(of: 3, at: 10) == 7)
    #expect(WallClock.age(of: 10, at: 3) == -7)
    #expect(WallClock.age(of: .min, at: .max) == .max)
    #expect(WallClock.age(of: .max, at: .min) == .min)
  }

  @Test func `dates of all times are stored and read, and leap seconds are no crash`() throws {
    try withDatabase { db throws in
      for seconds in Self.times {
        let date = Date(timeIntervalSince1970: Double(seconds))
        let read = try Date.fetchOne(db, sql: "SELECT ?", arguments: [date])
        #expect(read == date)
      }
      for text in ["2016-12-31 23:59:60", "2016-12-31T23:59:60Z", "1972-06-30 23:59:60.999"] {
        let value = text.databaseValue
        if let date = Date.fromDatabaseValue(value) {
          // A leap second is at most the first second of the next day.
          let day = Date.fromDatabaseValue(String(text.prefix(10) + " 23:59:59").databaseValue)
          #expect(date.timeIntervalSince(try #require(day)) <= 2)
        }
      }
    }
  }
}
