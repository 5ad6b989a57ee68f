import Storage
import Testing

@testable import StorageTestSupport

extension ParityTests {
  static let tables: [ParityLine] = [
    .same(.api(14), "every refinement, fetch and mutation of Table") {
      try withPlayers { db throws in
        let table = Table<Player>("player")
        let request: QueryInterfaceRequest<Player> = table.filter(id: 1)
        #expect(try request.fetchOne(db) == .arthur)
        #expect(try table.filter(sql: "score > ?", arguments: [500]).fetchAll(db) == [.barbara])
        #expect(try table.order(literal: "name DESC").fetchOne(db) == .craig)
        #expect(try table.none().fetchCount(db) == 0)
        #expect(try table.selectPrimaryKey(as: Int64.self).fetchSet(db) == [1, 2, 3])
        #expect(try table.select(sql: "MAX(score)", as: Int.self).fetchOne(db) == 1000)
        #expect(try table.exists(db, key: 1) && table.exists(db, id: 1))
        #expect(try table.updateAll(db, [Column("score").set(to: 1)]) == 3)
        #expect(try table.deleteOne(db, key: 1))
        #expect(try table.deleteAll(db, ids: [2]) == 1)
        #expect(try table.deleteAll(db) == 1)
      }
    },
    .same(.api(16), "Player.annotated(with: […]), order([…]), having, with(cte), aliased") {
      try withPlayers { db throws in
        let total = Player.annotated(with: [(Column("score") * 2).forKey("total")])
        #expect(try Row.fetchOne(db, total.order(\.id))?["total"] == 200)
        #expect(try Player.order([Column("score").desc]).fetchOne(db) == .barbara)
        let groups = Player.having(max(Column("score")) > 500).group(\.teamID)
        #expect(try groups.selectID().fetchCount(db) == 1)
        let cte = CommonTableExpression(named: "first", sql: "SELECT 1")
        let first = Player.with(cte).filter { cte.all().contains($0.id) }
        #expect(try first.fetchAll(db) == [.arthur])
        let alias = TableAlias(name: "p")
        #expect(try Player.aliased(alias).filter(alias[Column("id")] == 2).fetchOne(db) == .barbara)
      }
    },
    .same(.api(16), "withStableOrder()") {
      try withPlayers { db throws in
        #expect(try Player.order(\.teamID).withStableOrder().fetchAll(db).map(\.id) == [1, 2, 3])
        #expect(
          try Player.order(\.teamID.desc).withStableOrder().fetchAll(db).map(\.id) == [3, 1, 2]
        )
      }
    },
    .same(.api(16), "filterWhenConnected and its like") {
      try withPlayers { db throws in
        let last = Player.all()
          .filterWhenConnected { db in Column(try db.primaryKey("player").columns[0]) > 1 }
          .orderWhenConnected { _ in [Column("id").desc] }
          .annotatedWhenConnected(with: { _ in [Column("id").forKey("key")] })
        #expect(try last.fetchAll(db) == [.craig, .barbara])
      }
    },
    .same(.behavior(5), "updateAll follows the conflict policy of the record type") {
      try withLeague { db throws in
        try db.execute(sql: "CREATE TABLE polite (id INTEGER PRIMARY KEY, name TEXT UNIQUE)")
        try Polite(id: 1, name: "a").insert(db)
        try Polite(id: 2, name: "b").insert(db)
        // The row that would violate the constraint is skipped; the other one is "b" already.
        #expect(try Polite.updateAll(db, Column("name").set(to: "b")) == 1)
        #expect(try Table<Polite>("polite").updateAll(db, Column("name").set(to: "b")) == 1)
        #expect(try Polite.all().updateAll(db, Column("name").set(to: "b")) == 1)
      }
    },
    .same(.diagnostic(3), "DatabaseRegionObservation(tracking: [request1, request2])") {
      let queue = try DatabaseQueue()
      try await queue.write { db in try db.execute(sql: League.schema) }
      let regions = DatabaseRegionObservation(tracking: [Player.all(), Player.filter(key: 1)])
      let mixed = DatabaseRegionObservation(tracking: Player.all(), Team.all())
      let commits = Recorder<String>()
      let first = regions.start(in: queue, onError: { commits.append(error: $0) }) { _ in
        commits.append("players")
      }
      let second = mixed.start(in: queue, onError: { commits.append(error: $0) }) { _ in
        commits.append("players and teams")
      }
      try await queue.write { db in try Team(id: 1, name: "Reds", color: nil).insert(db) }
      #expect(try await commits.nextValue() == "players and teams")
      try await queue.write { db in try Player.arthur.insert(db) }
      let touched = try await [commits.nextValue(), commits.nextValue()]
      #expect(Set(touched) == ["players", "players and teams"])
      first.cancel()
      second.cancel()
    },
  ]
}

private struct Polite: Codable, PersistableRecord {
  static let persistenceConflictPolicy = PersistenceConflictPolicy(update: .ignore)
  var id: Int64
  var name: String
}
