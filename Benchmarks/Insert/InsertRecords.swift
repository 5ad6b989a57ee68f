internal import Storage

/// Inserts records one by one.
enum InsertRecords {
  static let benchmarks = [
    Benchmark(.insert, "Insert 50,000 records of 10 integers", limit: 1.3) {
      try contest(in: $0, records: (0..<Insertion.rowCount).map(HandwrittenIntegers.init(number:)))
    },
    Benchmark(.insert, "Insert 50,000 Codable records of 10 integers", limit: 1.9) {
      try contest(in: $0, records: Integers.rows(Insertion.rowCount))
    },
  ]

  private static func contest<Record: PersistableRecord>(
    in workspace: Workspace,
    records: [Record]
  ) throws -> Contest {
    let rows = Integers.rows(records.count)
    return try Insertion.contest(
      in: workspace,
      creation: Integers.creation,
      table: "integers",
      checksum: Integers.checksum,
      ours: { db in
        for record in records { try record.insert(db) }
      },
      insertion: Integers.insertion,
      baseline: { try $0.insert(rows, with: $1) }
    )
  }
}
