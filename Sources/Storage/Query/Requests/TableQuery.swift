/// A ``Table``, or a request for rows of one, which can be fetched, updated and deleted.
///
///     try Table("player").updateAll(db, [Column("score").set(to: 0)])
///     // UPDATE "player" SET "score" = 0
///
///     try Player.filter { $0.score < 10 }.deleteAll(db)
///     // DELETE FROM "player" WHERE "score" < 10
public protocol TableQuery<RowDecoder>: RefinableRequest, FetchRequest {}

extension TableQuery {
  /// The request for the rows.
  var request: QueryInterfaceRequest<RowDecoder> {
    QueryInterfaceRequest(all().selectStatement)
  }
}
