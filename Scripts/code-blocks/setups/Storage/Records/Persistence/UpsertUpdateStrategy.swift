struct Word: Codable, FetchableRecord, PersistableRecord {
  var word: String
  var count = 1
  var isTainted = false
}
let word: Word = example()
