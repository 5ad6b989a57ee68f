import Foundation
import Storage

struct Book: Codable, Identifiable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var title: String
  var price: Double
  var copies: Int
  var cover: Data?
  var boughtAt: Date?
  var isLent: Bool
  var `class`: String?
  var extra: DatabaseValue?
  // "gross" is computed by SQLite.

  enum CodingKeys: String, CodingKey {
    case id
    case title
    case price
    case copies
    case cover
    case boughtAt = "bought_at"
    case isLent = "is_lent"
    case `class`
    case extra
  }

  mutating func didInsert(_ inserted: InsertionSuccess) {
    id = inserted.rowID
  }
}

struct BookLoan: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "book loan"

  var readerId: Int
  var bookId: Int64

  enum CodingKeys: String, CodingKey {
    case readerId = "reader_id"
    case bookId = "book_id"
  }
}

struct Genre: Codable, FetchableRecord, PersistableRecord {
  var code: String
  var name: String
}

struct Remark: Codable, FetchableRecord, PersistableRecord {
  var text: DatabaseValue?
}

struct LentBook: Codable, FetchableRecord, TableRecord {
  static let databaseTableName = "lent_book"

  var title: String?
  var price: Double?
}
