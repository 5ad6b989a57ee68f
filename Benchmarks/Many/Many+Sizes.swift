internal import Foundation
internal import Storage

extension ManyCommand.Trial {
  private typealias Wrong = ManyCommand.Wrong

  /// A file of 64 GB that takes almost no space on the disk: its new pages are behind the hole.
  static let sparse = Self(name: "sparse") { workspace, scale, report in
    let size: UInt64 = (64 << 30) / UInt64(scale)
    let path = try workspace.makeDatabase("sparse") { connection in
      try connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, content BLOB)")
      try connection.execute("INSERT INTO item VALUES (1, zeroblob(100000))")
    }
    try enlarge(path, to: size)
    let pool = try report.time("a file of \(size >> 30) GB is opened") {
      let pool = try DatabasePool(path: path)
      _ = try pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM item") }
      return pool
    }
    let arrivals = Arrivals()
    arrivals.expect(1)
    let cancellable = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? 0
    }.start(
      in: pool,
      onError: { fatalError("The observation failed: \($0)") },
      onChange: { arrivals.record($0) }
    )
    _ = try arrivals.wait()
    arrivals.expect(101)
    try report.time("100 commits of 100 kB each, behind the hole, and the value") {
      for _ in 1...100 {
        try pool.write { db in
          try db.execute(sql: "INSERT INTO item (content) VALUES (randomblob(100000))")
        }
      }
      _ = try arrivals.wait()
    }
    try report.time("checkpoint") { try pool.checkpoint(.truncate) }
    try report.time("vacuum into a small file") { try pool.vacuum(into: path + "-small") }
    cancellable.cancel()
    try pool.close()
    let end = try FileManager.default.attributesOfItem(atPath: path)[.size] as? UInt64 ?? 0
    try ManyCommand.check(end > size, "the file has \(end) bytes")
    let small = try DatabaseQueue(path: path + "-small").read { db in
      try Int.fetchOne(db, sql: "SELECT sum(length(content)) FROM item")
    }
    try ManyCommand.check(small == 101 * 100_000, "\(small ?? 0) bytes")
  }

  /// Lets a file that is not in use grow to a size, with pages that belong to no table.
  private static func enlarge(_ path: String, to size: UInt64) throws {
    try? FileManager.default.removeItem(atPath: path + "-wal")
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    defer { try? file.close() }
    guard let header = try file.read(upToCount: 100), header.count == 100 else {
      throw Wrong("the file has no header")
    }
    let pageSize = UInt64(header[16]) << 8 | UInt64(header[17])
    // https://www.sqlite.org/fileformat2.html#in_header_database_size
    let pages = UInt32(size / (pageSize == 1 ? 65_536 : pageSize))
    try file.seek(toOffset: 28)
    try file.write(contentsOf: withUnsafeBytes(of: pages.bigEndian) { Data($0) })
    try file.truncate(atOffset: size)
  }

  /// A schema of many tables. All of them are observed.
  static let tables = Self(name: "tables") { workspace, scale, report in
    let count = 2_000 / scale
    let path = try workspace.makeDatabase("tables") { _ in }
    let pool = try DatabasePool(path: path)
    try report.time("\(count) tables and indexes are created in a transaction") {
      try pool.write { db in
        for number in 1...count {
          try db.create(table: "t\(number)") { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("name", .text).notNull().indexed()
            table.column("value", .integer)
          }
        }
      }
    }
    try report.time("the file is opened, and one table read") {
      let other = try DatabasePool(path: path)
      _ = try other.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM t1") }
    }
    let arrivals = Arrivals()
    var cancellables: [AnyDatabaseCancellable] = []
    try report.time("\(count) observations, one of each table, have their first value") {
      arrivals.expect(0)
      for number in (1...count).reversed() {
        cancellables.append(
          ValueObservation.tracking { db in
            try Int.fetchOne(db, sql: "SELECT sum(value) FROM t\(number)") ?? 0
          }.start(
            in: pool,
            onError: { fatalError("The observation failed: \($0)") },
            onChange: { if number == 1 { arrivals.record($0) } }
          )
        )
      }
      _ = try arrivals.wait(within: 60)
    }
    report.add("file descriptors of the process", "\(Peak.descriptors(of: getpid()))")
    try report.time("1,000 commits to one of them, and the value") {
      arrivals.expect(1_000)
      for _ in 1...1_000 {
        try pool.write { db in
          try db.execute(sql: "INSERT INTO t1 (name, value) VALUES ('a', 1)")
        }
      }
      _ = try arrivals.wait(within: 60)
    }
    try report.time("a column is added to one of them, and the next value is there") {
      try pool.write { db in
        try db.alter(table: "t1") { $0.add(column: "note", .text) }
      }
      arrivals.expect(1_001)
      try pool.write { db in try db.execute(sql: "INSERT INTO t1 (name, value) VALUES ('b', 1)") }
      _ = try arrivals.wait(within: 60)
    }
    try report.time("the schema as SQL") {
      let tables = try pool.read { db in
        try String.fetchAll(db, sql: "SELECT sql FROM sqlite_schema")
      }
      try ManyCommand.check(tables.count > 2 * count, "\(tables.count) objects")
    }
    for cancellable in cancellables { cancellable.cancel() }
    try pool.close()
  }

  /// A row with a very large value.
  static let row = Self(name: "row") { workspace, scale, report in
    let count = 100_000_000 / scale
    let path = try workspace.makeDatabase("row") {
      try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, content BLOB)")
    }
    let pool = try DatabasePool(path: path)
    let content = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    Peak.reset()
    report.add("memory of the value in the process", "\(Peak.megabytes) MB with the process")
    try report.time("a row of \(count / 1_000_000) MB is inserted") {
      try pool.write { db in
        try db.execute(sql: "INSERT INTO item VALUES (1, ?)", arguments: [content])
      }
    }
    report.add("… largest memory", "\(Peak.megabytes) MB")
    Peak.reset()
    let read = try report.time("it is read") {
      try pool.read { db in try Data.fetchOne(db, sql: "SELECT content FROM item") }
    }
    try ManyCommand.check(read == content, "another value was read")
    report.add("… largest memory", "\(Peak.megabytes) MB")
    let arrivals = Arrivals()
    arrivals.expect(count)
    let cancellable = try report.time("an observation has it as first value") {
      let cancellable = ValueObservation.tracking { db in
        try Data.fetchOne(db, sql: "SELECT content FROM item ORDER BY id DESC") ?? Data()
      }.start(
        in: pool,
        onError: { fatalError("The observation failed: \($0)") },
        onChange: { arrivals.record($0.count) }
      )
      _ = try arrivals.wait(within: 60)
      return cancellable
    }
    arrivals.expect(count / 2)
    try report.time("half of it is written over it, and is observed") {
      try pool.write { db in
        try db.execute(sql: "UPDATE item SET content = ?", arguments: [content.prefix(count / 2)])
      }
      _ = try arrivals.wait(within: 60)
    }
    cancellable.cancel()
    try pool.close()
  }

  /// A transaction that inserts very many rows, while an observation counts them.
  static let transaction = Self(name: "transaction") { workspace, scale, report in
    let count = 10_000_000 / scale
    for isObserved in [false, true] {
      let path = try workspace.makeDatabase("transaction-\(isObserved)") {
        try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, value INTEGER)")
      }
      let pool = try DatabasePool(path: path)
      let arrivals = Arrivals()
      arrivals.expect(0)
      let cancellable =
        isObserved
        ? ValueObservation.tracking { db in
          try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? 0
        }.start(
          in: pool,
          onError: { fatalError("The observation failed: \($0)") },
          onChange: { arrivals.record($0) }
        ) : nil
      if isObserved { _ = try arrivals.wait() }
      Peak.reset()
      arrivals.expect(count)
      let with = isObserved ? "with an observation of its table" : "not observed"
      try report.time("\(count) rows in one transaction, \(with)") {
        try pool.write { db in
          let statement = try db.makeStatement(
            sql: "INSERT INTO item (name, value) VALUES (?, ?)"
          )
          for number in 0..<count {
            try statement.execute(arguments: ["row", number])
          }
        }
      }
      if isObserved {
        try report.time("… then, until the value") { _ = try arrivals.wait(within: 60) }
      }
      let log = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int ?? 0
      report.add("… WAL", "\(log >> 20) MB")
      report.add("… largest memory", "\(Peak.megabytes) MB")
      try report.time("… checkpoint") { try pool.checkpoint(.truncate) }
      if !isObserved {
        struct Stop: Error {}
        try report.time("… deleting all of them, rolled back") {
          do {
            try pool.write { db in
              try db.execute(sql: "DELETE FROM item WHERE value >= 0")
              throw Stop()
            }
          } catch is Stop {}
        }
      }
      let stored = try pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM item") }
      try ManyCommand.check(stored == count, "\(stored ?? 0) of \(count) rows")
      cancellable?.cancel()
      try pool.close()
    }
  }
}
