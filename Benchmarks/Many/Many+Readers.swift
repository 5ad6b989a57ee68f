internal import Foundation
internal import Sharing
internal import Storage

extension ManyCommand.Trial {
  /// Readers of one key, which share its value and its query.
  static let readers = Self(name: "readers") { workspace, scale, report in
    let count = 100_000 / scale
    let path = try workspace.makeDatabase("readers") {
      try $0.execute("CREATE TABLE counter (id INTEGER PRIMARY KEY, value INTEGER)")
      try $0.execute("INSERT INTO counter VALUES (1, 0)")
    }
    let pool = try DatabasePool(path: path)
    let key: FetchKey<Int> = .fetchOne(sql: "SELECT value FROM counter", database: pool)
    var readers = [SharedReader(wrappedValue: -1, key)]
    readers.reserveCapacity(count)
    let before = Peak.proportionalKilobytes(of: getpid())
    report.time("\(count) readers of one key are created") {
      for _ in 1..<count { readers.append(SharedReader(wrappedValue: -1, key)) }
    }
    let memory = Peak.proportionalKilobytes(of: getpid()) - before
    report.add(
      "memory of a reader",
      String(format: "%.0f bytes", Double(memory) * 1024 / Double(count))
    )
    try report.time("a commit, until all of them have the value") {
      try pool.write { db in try db.execute(sql: "UPDATE counter SET value = 1") }
      try spin("the value of a reader", while: readers[0].wrappedValue != 1)
    }
    try ManyCommand.check(readers.allSatisfy { $0.wrappedValue == 1 }, "a reader has an old value")
    try ManyCommand.check(
      pool.observationStatistics.live == 1,
      "\(pool.observationStatistics.live) observations"
    )
    report.time("all of them end") { readers.removeAll() }
  }
}
