import Sharing

/// What the page shows: the totals, the items, and what happened last. All are fetched in one
/// transaction, so that the numbers always agree with the items.
public struct Board: FetchKeyRequest {
  /// How many items are shown, most votes first.
  public var itemLimit = 200
  /// How many activities are shown, the latest first.
  public var activityLimit = 8

  /// Creates a request.
  public init() {}

  /// Fetches all parts, as one list: a difference of two lists is then a patch of the whole page.
  public func fetch(_ db: Database) throws -> [BoardElement] {
    let totals = try Totals.fetchOne(
      db,
      sql: """
        SELECT count(*) AS items, coalesce(sum(votes), 0) AS votes,
          count(*) FILTER (WHERE votes < 0) AS unloved
        FROM item
        """
    )
    let items =
      try Item
      .order(\.votes.desc, \.id)
      .limit(itemLimit)
      .fetchAll(db)
    let activities = try Activity.fetchAll(
      db,
      sql: Activity.latestSQL,
      arguments: [activityLimit]
    )
    return [.totals(totals ?? Totals(items: 0, votes: 0, unloved: 0))]
      + items.map(BoardElement.item)
      + activities.map(BoardElement.activity)
  }
}
