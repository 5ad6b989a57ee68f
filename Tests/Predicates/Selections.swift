import Storage

// Selections whose context gives the type of the rows.

private struct Person: Codable, Identifiable, Hashable, FetchableRecord, PersistableRecord {
  var id: Int64?
  var name: String
  var score: Int

  enum Columns {
    static let id = Column("id")
    static let name = Column("name")
    static let score = Column("score")
  }
}

func typedSelections(_ db: Database) throws {
  let _: [String] = try Person.select(Column("name")).fetchAll(db)
  let _: [String] = try Person.select { $0.name }.fetchAll(db)
  let _: [String] = try Person.filter { $0.score > 1 }.order(\.name).select(\.name).fetchAll(db)
  let _: [String] = try Person.select(Column("name")).filter(Column("score") > 1)
    .order(Column("name")).limit(3).distinct().fetchAll(db)
  let _: Set<String> = try Person.all().select([Column("name")]).fetchSet(db)
  let _: Int? = try Person.select { max($0.score) }.fetchOne(db)
  _ = try Person.select(sql: "MAX(score)").fetchOne(db) as Int?
  let _: [Row] = try Person.select(Column("name"), max(Column("score"))).group(Column("name"))
    .having(max(Column("score")) > 3).order(max(Column("score")).desc).fetchAll(db)
  let _: Set<Int64> = try Person.selectPrimaryKey().fetchSet(db)
  let _: [(String, Int)] = try Person.select(\.name).fetchAll(db).map { ($0, 1) }
  let _: QueryInterfaceRequest<String> = Person.select(\.name)
}

func recordSelections(_ db: Database) throws {
  let people = try Person.select { [$0.id, $0.name, $0.score] }.filter { $0.score > 1 }.fetchAll(db)
  let _: [Person] = try Person.select(\.id, \.name).filter { $0.score > 1 }.fetchAll(db)
  let _: Person? = try Person.select(.allColumns, .rowID).fetchOne(db)
  _ = Person.filter { Person.select(\.name).contains($0.name) }
  _ = try String.fetchAll(db, Person.select(Column("name")))
  _ = try Person.fetchAll(db, ids: people.compactMap(\.id))
  _ = try Person.fetchAll(db, ids: [1, 2])
  _ = try Person.filter(ids: people.map(\.id)).fetchAll(db)
}
