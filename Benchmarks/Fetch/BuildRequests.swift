internal import Storage

/// Builds requests whose columns are the properties of a record, compared with the same requests
/// over a list of columns.
enum BuildRequests {
  private static let count = 10_000

  static let benchmarks = [
    Benchmark(
      .fetch,
      "Build a request by closures over properties, and over Columns",
      operations: count,
      limit: 1.2
    ) { _ in
      contest(
        properties: { Item.filter { $0.price < 20 }.order { $0.name } },
        columns: { ListedItem.filter { $0.price < 20 }.order { $0.name } }
      )
    },
    Benchmark(
      .fetch,
      "Build a request by a closure and a key path over properties, and over Columns",
      operations: count,
      limit: 1.2
    ) { _ in
      contest(
        properties: { Item.filter { $0.price < 20 }.order(\.name) },
        columns: { ListedItem.filter { $0.price < 20 }.order(\.name) }
      )
    },
  ]

  private static func contest(
    properties: @escaping () -> QueryInterfaceRequest<Item>,
    columns: @escaping () -> QueryInterfaceRequest<ListedItem>
  ) -> Contest {
    Contest(ours: side(properties), baseline: side(columns))
  }

  private static func side<Request>(_ build: @escaping () -> Request) -> Side {
    Side(
      work: {
        var last: Request?
        for _ in 0..<count { last = build() }
        return last
      },
      checksum: { $0 == nil ? 0 : count }
    )
  }

  private struct Item: Codable, FetchableRecord, PersistableRecord {
    var id: Int64
    var name: String
    var price: Double?
  }

  private struct ListedItem: Codable, FetchableRecord, PersistableRecord {
    var id: Int64
    var name: String
    var price: Double?

    enum Columns {
      static let name = TypedColumn<String>("name")
      static let price = TypedColumn<Double?>("price")
    }
  }
}
