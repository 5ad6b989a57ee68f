import TestSupport
import Testing

@testable import Storage
@testable import StorageTestSupport

/// Random tables with queries over them, and random changes of their rows.
protocol RandomDatabase {
  /// The names of the tables.
  static var tables: [String] { get }

  var generator: SeededGenerator { get set }

  init(seed: UInt64)

  mutating func makeTables(_ db: Database) throws

  /// Changes a row, unless the statement fails.
  mutating func change(_ db: Database)
}

extension RandomDatabase {
  /// Follows random queries over random tables, and compares their values with fresh values.
  ///
  /// - Parameters:
  ///   - seeds: The number of tables in the suite.
  ///   - transactions: The number of transactions for each query in the suite.
  ///   - kind: The kind of the queries' results.
  ///   - makeQuery: Returns a query and its arguments.
  /// - Returns: The comparison. An issue is recorded for the first wrong value.
  /// - Throws: The error of a statement.
  static func comparison(
    seeds: Int,
    transactions: Int,
    _ kind: PatchComparison.Kind = .rows,
    _ makeQuery: (inout Self) -> (sql: String, arguments: [DatabaseValue])
  ) throws -> PatchComparison {
    var comparison = PatchComparison()
    for seed in Soak.seeds(60, inSuite: seeds) {
      var random = Self(seed: seed)
      try withDatabase { db throws in
        try random.makeTables(db)
        let recorded = try RecordedRows(of: tables, in: db)
        defer { recorded.end() }
        for _ in 0..<6 {
          let (sql, arguments) = makeQuery(&random)
          let isRight = try comparison.follow(
            sql,
            arguments,
            kind,
            db,
            count: Soak.size(300, inSuite: transactions)
          ) {
            recorded.rows { random.transaction(db) }
          }
          guard isRight else {
            Issue.record("seed \(seed)")
            return
          }
        }
      }
    }
    return comparison
  }

  /// Changes rows of all tables. Some statements fail.
  mutating func transaction(_ db: Database) {
    for _ in 0..<(generator.chance(10) ? 9 : generator.number(in: 1..<4)) { change(db) }
  }

  /// Makes an index of some of the columns: `table (column, …)`.
  mutating func index(_ all: [String], chance: Int, _ db: Database) throws {
    for columns in all where generator.chance(chance) {
      let name = columns.filter { !" (),".contains($0) }
      try db.execute(sql: "CREATE INDEX i\(name) ON \(columns)")
    }
  }

  /// Changes rows a number of times, and sometimes gathers statistics.
  mutating func fill(_ counts: Range<Int>, _ db: Database) throws {
    for _ in 0..<generator.number(in: counts) { change(db) }
    if generator.chance(15) { try db.execute(sql: "ANALYZE") }
  }

  func execute(_ sql: String, _ values: [DatabaseValue], _ db: Database) {
    // A key is not NULL.
    try? db.execute(sql: sql, arguments: StatementArguments(values: values, namedValues: [:]))
  }

  mutating func id(below end: Int) -> DatabaseValue {
    if generator.chance(6) { return .null }
    return DatabaseValue(storage: .int64(Int64(generator.number(in: 0..<end))))
  }

  /// Returns a `LIMIT`, or an empty text.
  mutating func limit() -> String {
    switch generator.number(in: 0..<5) {
    case 0: " LIMIT \(generator.number(in: 0..<12))"
    case 1: " LIMIT \(generator.number(in: 1..<7)) OFFSET \(generator.number(in: 0..<7))"
    default: ""
    }
  }
}
