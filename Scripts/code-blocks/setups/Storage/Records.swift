struct Place: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var title: String
  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
enum Columns {
  static let id = Column("id")
  static let name = Column("name")
  static let score = Column("score")
}
var player: Player = example()
var item: Item = example()
var place: Place = example()
var partial: PartialPlayer = example()
var partialPlayer: PartialPlayer = example()
let score = 0
var container = PersistenceContainer()
