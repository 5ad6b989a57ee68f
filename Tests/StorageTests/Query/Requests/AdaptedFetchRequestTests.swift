import Storage
import Testing

@testable import StorageTestSupport

@Suite struct AdaptedFetchRequestTests {
  private struct Pair: FetchableRecord {
    let player: Player
    let team: Team

    init(row: Row) throws {
      player = try Player(row: row.scopes["player"]!)
      team = try Team(row: row.scopes["team"]!)
    }

    static func all() -> AdaptedFetchRequest<SQLRequest<Pair>> {
      SQLRequest(
        sql: """
          SELECT player.*, team.* FROM player JOIN team ON team.id = player.teamID
          ORDER BY player.id
          """
      ).adapted { db in
        let playerColumns = try db.columns(in: "player").count
        return ScopeAdapter([
          "player": RangeRowAdapter(0..<playerColumns),
          "team": SuffixRowAdapter(fromIndex: playerColumns),
        ])
      }
    }
  }

  @Test func `REC-23, JOI-12, CRQ-14…19: joined rows are read through scopes`() throws {
    try withPlayers { db in
      let pairs = try Pair.all().fetchAll(db)
      #expect(pairs.map(\.player) == [.arthur, .barbara, .craig])
      #expect(pairs.map(\.team.name) == ["Reds", "Reds", "Blues"])
      let count = try Pair.all().fetchCount(db)
      #expect(count == 3)
      let first = try Pair.all().fetchOne(db)
      #expect(first?.team.id == 1)
    }
  }

  @Test func `an adapter reads the rows of another adapter`() throws {
    try withPlayers { db in
      let request = Player.order(\.id).select { [$0.id, $0.name, $0.score] }
        .asRequest(of: Row.self)
        .adapted { _ in SuffixRowAdapter(fromIndex: 1) }
        .adapted { _ in SuffixRowAdapter(fromIndex: 1) }
      let row = try request.fetchOne(db)
      #expect(row.map { Array($0.columnNames) } == ["score"])
      #expect(row?[0] == 100)
      let next = try request.fetchCursor(db).next()
      #expect(next?.count == 1)
    }
  }
}
