internal import Storage

/// Inserts rows with one statement that is run repeatedly.
enum InsertArguments {
  static let benchmarks = [
    Benchmark(
      .insert,
      "Insert 50,000 rows of 10 integers, arguments of one type",
      limit: 1.15
    ) { workspace in
      let rows = Integers.rows(Insertion.rowCount)
      return try Insertion.contest(
        in: workspace,
        creation: Integers.creation,
        table: "integers",
        checksum: Integers.checksum,
        ours: { try insert(rows, $0) },
        insertion: Integers.insertion,
        baseline: { try $0.insert(rows, with: $1) }
      )
    },
    Benchmark(
      .insert,
      "Insert 50,000 rows of 10 columns, arguments of mixed types",
      limit: 1.4,
      enforcedLimit: 1.5
    ) { workspace in
      let rows = (0..<Insertion.rowCount).map(Sale.init(number:))
      return try Insertion.contest(
        in: workspace,
        creation: Sale.creation,
        table: "sale",
        checksum: Sale.checksum,
        ours: { try insert(rows, $0) },
        insertion: Sale.insertion,
        baseline: { try $0.insert(rows, with: $1) }
      )
    },
  ]

  private static func insert(_ rows: [Integers], _ db: Database) throws {
    let insertion = try db.makeStatement(sql: Integers.insertion)
    for row in rows {
      try insertion.execute(
        arguments: [
          row.a, row.b, row.c, row.d, row.e, row.f, row.g, row.h, row.i, row.j,
        ]
      )
    }
  }

  private static func insert(_ rows: [Sale], _ db: Database) throws {
    let insertion = try db.makeStatement(sql: Sale.insertion)
    for row in rows {
      try insertion.execute(
        arguments: [
          row.number, row.customer, row.product, row.quantity, row.price, row.discount, row.total,
          row.note, row.clerk, row.rating,
        ]
      )
    }
  }
}
