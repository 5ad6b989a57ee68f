import Sharing

/// What a node shows: all of it comes from one commit.
public struct ShopSummary: FetchKeyRequest {
  /// The value of the queries.
  public struct Value: Codable, Equatable, Sendable {
    /// The items.
    public var items: [Item] = []
    /// The last sale.
    public var last: Sale?
    /// How many sales there are.
    public var count = 0

    /// Whether each sale is counted at its item, as it is in each commit.
    public var isConsistent: Bool { items.reduce(0) { $0 + $1.sold } == count }
  }

  /// Makes the request.
  public init() {}

  /// Runs the queries.
  public func fetch(_ db: Database) throws -> Value {
    // A node that is behind may not have the tables yet.
    guard try db.tableExists("sale") else { return Value() }
    return try Value(
      items: Item.order(\.id).fetchAll(db),
      last: Sale.order(\.id.desc).fetchOne(db),
      count: Sale.fetchCount(db)
    )
  }
}
