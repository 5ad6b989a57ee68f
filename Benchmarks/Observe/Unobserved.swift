internal import Storage

/// The cost of large writes without observers.
enum Unobserved {
  private static let rowCount = 100_000

  static let benchmarks = [
    benchmark("Insert 100,000 rows by one statement, with no observer", insertion),
    benchmark("Update 100,000 rows by one statement, with no observer", update),
    benchmark("Delete 100,000 rows without WHERE, with no observer", "DELETE FROM number"),
  ]

  private static let insertion = Numbers.insertion(count: rowCount)
  private static let update = "UPDATE number SET value = value + 1"
  /// Restores the table as it is at the beginning of each round.
  private static let filling = "DELETE FROM number; " + insertion

  private static func benchmark(_ title: String, _ sql: String) -> Benchmark {
    Benchmark(.observe, title, limit: 1.05) { workspace in
      let create: (RawConnection) throws -> Void = {
        try $0.execute(Numbers.creation(count: rowCount))
      }
      let pool = try DatabasePool(benchmarking: workspace.makeDatabase("ours", fill: create))
      let connection = try RawConnection(path: workspace.makeDatabase("baseline", fill: create))
      let setUp = sql == insertion ? "DELETE FROM number" : filling
      return Contest(
        ours: Side(
          setUp: {
            try pool.write { try $0.execute(sql: setUp) }
            try pool.emptyWAL()
          },
          work: { try pool.write { try $0.execute(sql: sql) } },
          checksum: {
            try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM number") ?? 0 }
          }
        ),
        baseline: Side(
          setUp: { try connection.execute("\(setUp); \(RawConnection.emptyingWAL)") },
          work: {
            try connection.execute("BEGIN IMMEDIATE")
            try connection.execute(sql)
            try connection.execute("COMMIT")
          },
          checksum: { try connection.integer("SELECT count(*) FROM number") }
        )
      )
    }
  }
}
