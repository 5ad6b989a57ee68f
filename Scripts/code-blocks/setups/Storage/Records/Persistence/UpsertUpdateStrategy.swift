struct Word: Codable, FetchableRecord, PersistableRecord { var word: String }
let word: Word = example()
