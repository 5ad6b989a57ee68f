import Foundation
import Testing
import TestSupport
import WellspringSystem

@testable import Sharing

/// Readers that were created before there was a default database. These tests need their own
/// processes, because they set the default database of the process.
@Suite(.patient) struct LateObservationTests {
  @Test func `a reader follows the default database once it is set`() async {
    await #expect(processExitsWith: .success) {
      let reports = Lock<[String]>([])
      Database.reportFailure = { report in reports.withLock { $0.append("\(report.error)") } }
      let reader = SharedReader<Int>(wrappedValue: 7, .fetchCount(Item.all()))
      try #require(reader.wrappedValue == 7)
      try #require(reader.loadError is NoDefaultDatabase)
      let database = try await makeDatabase()
      setDefaultDatabase(database)
      try #require(reader.wrappedValue == 2)
      try #require(reader.loadError == nil)
      try await database.run("DELETE FROM item WHERE id = 1")
      try await reader.load()
      try #require(reader.wrappedValue == 1)
      try #require(reports.withLock { $0 } == ["\(NoDefaultDatabase())"])
      try #require(DefaultDatabase.waiterCount == 0)
    }
  }

  @Test func `readers that were created before and after share one query`() async {
    await #expect(processExitsWith: .success) {
      let before = SharedReader<[Item]>(.items(in: nil))
      let key = FetchKey<[Item]>.items(in: nil)
      let database = try await makeDatabase()
      setDefaultDatabase(database)
      let after = SharedReader<[Item]>(.items(in: nil))
      let late = SharedReader<[Item]>(key)
      try #require(before == after)
      try #require(before == late)
      try #require(before.wrappedValue.count == 2)
      try #require(database.observationStatistics.live == 1)
      try #require(database.observationStatistics.runs == 1)
    }
  }

  @Test func `a loop goes on with the values of the database`() async {
    await #expect(processExitsWith: .success) {
      let reader = SharedReader<[Item]>(.items(in: nil))
      let count = SharedReader<Int>(wrappedValue: 0, .fetchCount(Item.all()))
      var loop = reader.values.makeAsyncIterator()
      try #require(await loop.next()?.isEmpty == true)
      let moments = Task {
        var moments = values(of: reader, count).makeAsyncIterator()
        let moment = try await moments.next()
        return moment?.0.count == 2 && moment?.1 == 2
      }
      setDefaultDatabase(try await makeDatabase())
      try #require(await loop.next()?.count == 2)
      try #require(try await moments.value)
    }
  }

  @Test func `a second default database changes no reader`() async {
    await #expect(processExitsWith: .success) {
      let before = SharedReader<[Item]>(.items(in: nil))
      let key = FetchKey<[Item]>.items(in: nil)
      let first = try await makeDatabase()
      setDefaultDatabase(first)
      setDefaultDatabase(try DatabaseQueue())
      try await first.run("DELETE FROM item WHERE id = 1")
      try await first.quiesce()
      try #require(before.wrappedValue.count == 1)
      try #require(SharedReader(key).wrappedValue.count == 1)
      try #require(SharedReader<[Item]>(.items(in: nil)).loadError is DatabaseError)
    }
  }

  @Test func `a reader that is released waits no longer, and a waiting one is not kept`() async {
    await #expect(processExitsWith: .success) {
      var readers = (0..<100).map { id in
        SharedReader<Item?>(.fetchOne(Item.filter(key: id)))
      }
      try #require(DefaultDatabase.waiterCount == 100)
      readers.removeLast(40)
      try #require(DefaultDatabase.waiterCount == 60)
      let database = try await makeDatabase()
      setDefaultDatabase(database)
      try #require(DefaultDatabase.waiterCount == 0)
      try #require(database.observationStatistics.live == 60)
      readers = []
      try #require(database.observationStatistics.live == 0)
    }
  }

  @Test func `readers come and go on many threads while the database is set`() async {
    await #expect(processExitsWith: .success) {
      let database = try await makeDatabase()
      Database.reportFailure = nil
      let kept = await withTaskGroup(of: [SharedReader<[Item]>].self) { group in
        for number in 0..<8 {
          group.addTask {
            var kept: [SharedReader<[Item]>] = []
            for id in 0..<200 {
              let sql = "SELECT * FROM item WHERE id > 0 OR id = \(id % 20)"
              let reader = SharedReader<[Item]>(.fetchAll(sql: sql))
              if id.isMultiple(of: 3) { kept.append(reader) }
              if number == 0, id == 100 { setDefaultDatabase(database) }
            }
            return kept
          }
        }
        return await group.reduce(into: []) { $0 += $1 }
      }
      try #require(DefaultDatabase.waiterCount == 0)
      // An observation that begins on another thread than its reader may still be starting.
      try await database.quiesce()
      try await eventually { kept.allSatisfy { $0.wrappedValue.count == 2 } }
      try #require(kept.allSatisfy { $0.wrappedValue.count == 2 && $0.loadError == nil })
    }
  }

  @Test func `a database that is set inside an access is followed after the access`() async {
    await #expect(processExitsWith: .success) {
      Database.reportFailure = nil
      let reader = SharedReader<[Item]>(.items(in: nil))
      let database = try await makeDatabase()
      try await database.write { db in
        setDefaultDatabase(database)
        try db.execute(sql: "DELETE FROM item WHERE id = 1")
      }
      try await database.quiesce()
      try #require(reader.wrappedValue.map(\.id) == [2])
    }
  }
}
