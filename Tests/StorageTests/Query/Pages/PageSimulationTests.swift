import Testing
import TestSupport

@testable import Storage

/// Walks through pages while random rows are inserted, updated and deleted.
@Suite(.patient) struct PageSimulationTests {
  private typealias Request = QueryInterfaceRequest<Row>

  /// A table whose columns have few different values, so that many rows are equal but for the key.
  private static let schema = """
    CREATE TABLE thing (
      id INTEGER PRIMARY KEY, a, b INTEGER NOT NULL, c TEXT COLLATE NOCASE, d REAL NOT NULL, e TEXT
    );
    CREATE INDEX byB ON thing (b);
    CREATE INDEX byC ON thing (c, d);
    """

  private static let values = ["NULL", "0", "1", "2.5", "'x'", "'X'", "'y'", "x'00'"]
  private static let texts = ["NULL", "'a'", "'A'", "'b'", "'B '", "'ä'"]

  private static func columns(_ generator: inout SeededGenerator) -> [String] {
    [
      values.randomElement(using: &generator) ?? "NULL",
      "\(Int.random(in: 0...3, using: &generator))",
      texts.randomElement(using: &generator) ?? "NULL",
      "\(Int.random(in: 0...3, using: &generator)).5",
      texts.randomElement(using: &generator) ?? "NULL",
    ]
  }

  private static func insert(_ id: Int, _ db: Database, _ generator: inout SeededGenerator) throws {
    let values = columns(&generator).joined(separator: ", ")
    try db.execute(sql: "INSERT INTO thing VALUES (\(id), \(values))")
  }

  /// Returns a random order of up to three terms.
  private static func order(_ generator: inout SeededGenerator) -> [any SQLOrderingTerm] {
    (0..<Int.random(in: 0...3, using: &generator)).map { _ in
      let column = Column(["a", "b", "c", "d", "e", "id"].randomElement(using: &generator) ?? "a")
      let expressions: [SQLExpression] = [
        column.sqlExpression, column.sqlExpression, column.collating(.nocase),
        column.collating(.rtrim), abs(column),
      ]
      let expression = expressions.randomElement(using: &generator) ?? column.sqlExpression
      return switch Int.random(in: 0..<5, using: &generator) {
      case 0: expression.desc
      case 1: expression.ascNullsLast
      case 2: expression.descNullsFirst
      case 3: expression.asc
      default: expression
      }
    }
  }

  /// Returns the ids in the order of the pages, from one query for all rows.
  private static func allIDs(_ request: Request, _ db: Database) throws -> [Int] {
    try request.fetchPage(db, size: 100_000).rows.map { $0["id"] }
  }

  @Test(arguments: 0..<Soak.size(4_000, inSuite: 6))
  func `no row comes twice, none that stayed is missed, and each page is one moment`(
    seed: Int
  ) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    try DatabaseQueue().writeWithoutTransaction { db throws in
      try db.execute(sql: Self.schema)
      for id in 1...60 { try Self.insert(id, db, &generator) }
      var nextID = 61
      for _ in 0..<5 {
        let request = Table("thing").all().order(Self.order(&generator))
        let size = Int.random(in: 1...9, using: &generator)
        // The ids of the rows that were there at the beginning and did not change since then.
        var stayed = Set(try Self.allIDs(request, db))
        var seen: [Int] = []
        var position: KeysetPosition?
        repeat {
          let all = try Self.allIDs(request, db)
          // SQLite sorts the same rows with its own ORDER BY.
          let sorted = try request.fetchAll(db).map { $0["id"] as Int }
          #expect(Set(sorted) == Set(all))
          let page = try request.fetchPage(db, after: position, size: size, isCounted: true)
          let ids = page.rows.map { $0["id"] as Int }
          #expect(page.totalCount == all.count)
          // The rows of a page are neighbours in the present order, and the last page ends it.
          if let first = ids.first, let start = all.firstIndex(of: first) {
            #expect(Array(all[start...].prefix(ids.count)) == ids)
            #expect(page.hasNext == (start + ids.count < all.count))
          }
          #expect(page.hasNext ? ids.count == size : ids.count <= size)
          seen += ids
          position = page.next
          // Rows must not come faster than pages.
          for _ in 0..<Int.random(in: 0...size, using: &generator) where seen.count < 200 {
            let id = Int.random(in: 1..<nextID, using: &generator)
            switch Int.random(in: 0..<3, using: &generator) {
            case 0:
              try Self.insert(nextID, db, &generator)
              nextID += 1
            case 1:
              try db.execute(sql: "DELETE FROM thing WHERE id = \(id)")
              stayed.remove(id)
            default:
              // A row that is changed may move.
              let columns = ["a", "b", "c", "d", "e"]
              let values = Self.columns(&generator)
              let column = Int.random(in: 0..<5, using: &generator)
              try db.execute(
                sql: "UPDATE thing SET \(columns[column]) = \(values[column]) WHERE id = \(id)"
              )
              stayed.remove(id)
            }
          }
        } while position != nil
        let counts = Dictionary(seen.map { ($0, 1) }, uniquingKeysWith: +)
        let missed = stayed.filter { counts[$0] == nil }
        let repeated = counts.filter { $1 > 1 && stayed.contains($0) }
        #expect(missed.isEmpty && repeated.isEmpty, "\(request) in pages of \(size)")
      }
    }
  }

  @Test(arguments: 0..<Soak.size(4_000, inSuite: 6))
  func `the pages of a table at rest are its rows in order`(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(1_000_000 + seed))
    try DatabaseQueue().writeWithoutTransaction { db throws in
      try db.execute(sql: Self.schema)
      for id in 1...40 { try Self.insert(id, db, &generator) }
      let terms = Self.order(&generator)
      let request = Table("thing").all().order(terms)
      let size = Int.random(in: 1...7, using: &generator)
      var ids: [Int] = []
      var position: KeysetPosition?
      repeat {
        let page = try request.fetchPage(db, after: position, size: size)
        ids += page.rows.map { $0["id"] }
        // A web service would hand out the text.
        position = page.next.flatMap { KeysetPosition($0.description) }
      } while position != nil
      #expect(ids == (try Self.allIDs(request, db)), "\(request) in pages of \(size)")
      #expect(Set(ids) == Set(1...40))
    }
  }

  @Test func `a page and its count are one moment while another thread writes`() async throws {
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file("pages.sqlite"))
    try await pool.write { db in
      try db.execute(sql: "CREATE TABLE thing (id INTEGER PRIMARY KEY, sum INTEGER NOT NULL)")
      for id in 1...20 { try db.execute(sql: "INSERT INTO thing VALUES (\(id), 20)") }
    }
    // Each transaction changes the number of rows, and writes it into each row.
    let writer = Task {
      for id in 21...400 where !Task.isCancelled {
        try await pool.write { db in
          try db.execute(sql: "INSERT INTO thing VALUES (\(id), 0); UPDATE thing SET sum = \(id)")
        }
      }
    }
    let request = Table("thing").all().order(Column("sum").desc)
    for _ in 0..<300 {
      let page = try await pool.read { db in
        try request.fetchPage(db, size: 10, isCounted: true)
      }
      #expect(page.rows.allSatisfy { $0["sum"] == page.totalCount })
    }
    writer.cancel()
    _ = await writer.result
    try pool.close()
  }
}
