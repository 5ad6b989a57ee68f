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

  enum Columns {
    static let id = Column(CodingKeys.id)
    static let title = Column(CodingKeys.title)
    static let price = Column(CodingKeys.price)
    static let copies = Column(CodingKeys.copies)
    static let cover = Column(CodingKeys.cover)
    static let boughtAt = Column(CodingKeys.boughtAt)
    static let isLent = Column(CodingKeys.isLent)
    static let `class` = Column(CodingKeys.`class`)
    static let extra = Column(CodingKeys.extra)
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

  enum Columns {
    static let readerId = Column(CodingKeys.readerId)
    static let bookId = Column(CodingKeys.bookId)
  }
}

struct Genre: Codable, FetchableRecord, PersistableRecord {
  var code: String
  var name: String

  enum Columns {
    static let code = Column(CodingKeys.code)
    static let name = Column(CodingKeys.name)
  }
}

struct Remark: Codable, FetchableRecord, PersistableRecord {
  var text: DatabaseValue?

  enum Columns {
    static let text = Column(CodingKeys.text)
  }
}

struct LentBook: Codable, FetchableRecord, TableRecord {
  static let databaseTableName = "lent_book"

  var title: String?
  var price: Double?

  enum Columns {
    static let title = Column(CodingKeys.title)
    static let price = Column(CodingKeys.price)
  }
}
