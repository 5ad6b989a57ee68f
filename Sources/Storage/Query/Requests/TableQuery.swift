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

  /// The columns that a statement returns of the rows that it changes.
  ///
  /// A record is decoded from its own columns, whatever the request selects of them: `nil` stands
  /// for the selection of the request, which contains the columns of the record.
  var returnedSelection: [SQLSelection]? {
    guard let record = RowDecoder.self as? any TableRecord.Type else { return nil }
    let own = record.databaseSelection.map(\.sqlSelection)
    return request.selectStatement.select.selection.starts(with: own) ? nil : own
  }
}
