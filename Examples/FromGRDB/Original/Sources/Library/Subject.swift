import GRDB

/// What books are about.
struct Subject: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
  var code: String
  var label: String

  static let filings = hasMany(Filing.self)
  static let books = hasMany(Book.self, through: filings, using: Filing.book)
}

/// Files a book under a subject.
struct Filing: Codable, FetchableRecord, PersistableRecord {
  var bookId: Int64
  var subjectCode: String

  static let book = belongsTo(Book.self)
  static let subject = belongsTo(Subject.self)
}
