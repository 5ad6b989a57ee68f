struct Player: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var name: String?
  var email: String?
  enum Columns { static let score = Column("score") }
}
var player: Player = example()
struct PartialPlayer: Codable, FetchableRecord, MutablePersistableRecord {
  var name: String
}
var partialPlayer: PartialPlayer = example()
struct Word: Codable, FetchableRecord, PersistableRecord {
  var word: String
  var count = 1
  var isTainted = false
}
let word: Word = example()
