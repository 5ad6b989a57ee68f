import Storage

/// A row of the full-text tables in tests.
struct Mail: Codable, Equatable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "mail"
  var subject: String
  var body: String

  static let samples = [
    Mail(subject: "Re: wonderful lamps", body: "The genie is in."),
    Mail(subject: "Dinner", body: "It will be wonderful, wonderful!"),
  ]
}
