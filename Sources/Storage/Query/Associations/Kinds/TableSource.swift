/// A table of the schema or of a `WITH` clause, with or without a record type: a ``Table``, or a
/// ``CommonTableExpression``.
///
/// It has all refinements of requests. Associations lead from it and to it, as they do with record
/// types:
///
///     let teams = Table("team"), players = Table("player")
///     let request = teams.including(all: teams.hasMany(players))
///     for team in try request.fetchAll(db) {
///       print(team["name"] as String, team.prefetchedRows["players"]!.count)
///     }
///     // SELECT * FROM "team"
///     // SELECT * FROM "player" WHERE "teamID" IN (1, 2, 3)
public protocol TableSource<RowDecoder>: RefinableRequest
where Refined == QueryInterfaceRequest<RowDecoder> {}

extension Table: TableSource {}

extension CommonTableExpression: TableSource {}

extension TableSource {
  /// All rows, with all columns.
  var rows: SelectStatement { all().selectStatement }
}
