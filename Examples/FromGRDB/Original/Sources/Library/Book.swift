import Foundation
import GRDB

/// A title that the library owns, with one or more copies.
struct Book: Codable, Identifiable, Hashable, Sendable {
  enum Shelf: String, Codable, DatabaseValueConvertible {
    case fiction, science, children
  }

  var id: Int64?
  var authorId: Int64
  var title: String
  var year: Int?
  var isbn: String?
  var shelf: Shelf
  var copies: Int
  var tags: [String]
  var addedAt: Date?
}

extension Book: FetchableRecord, MutablePersistableRecord {
  enum Columns {
    static let id = Column(CodingKeys.id)
    static let authorId = Column(CodingKeys.authorId)
    static let title = Column(CodingKeys.title)
    static let year = Column(CodingKeys.year)
    static let isbn = Column(CodingKeys.isbn)
    static let shelf = Column(CodingKeys.shelf)
    static let copies = Column(CodingKeys.copies)
    static let tags = JSONColumn(CodingKeys.tags)
    static let addedAt = Column(CodingKeys.addedAt)
  }

  static let author = belongsTo(Author.self)
  static let loans = hasMany(Loan.self)
  static let filings = hasMany(Filing.self)
  static let subjects = hasMany(Subject.self, through: filings, using: Filing.subject)
  static let borrowers = hasMany(Member.self, through: loans, using: Loan.member)

  var author: QueryInterfaceRequest<Author> { request(for: Book.author) }
  var loans: QueryInterfaceRequest<Loan> { request(for: Book.loans) }

  static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
    .secondsSince1970
  }

  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
    .timeIntervalSince1970
  }

  mutating func willInsert(_ db: Database) throws {
    addedAt = try addedAt ?? db.transactionDate
  }

  mutating func didInsert(_ inserted: InsertionSuccess) {
    id = inserted.rowID
  }

  func willSave(_ db: Database) throws {
    if title.isEmpty {
      throw LibraryError.untitledBook
    }
  }
}

extension DerivableRequest<Book> {
  func on(_ shelf: Book.Shelf) -> Self {
    filter(Book.Columns.shelf == shelf)
  }

  func newestFirst() -> Self {
    order(Book.Columns.addedAt.desc, Book.Columns.id.desc)
  }

  func published(since year: Int) -> Self {
    filter { $0.year >= year }
  }

  func written(in country: String) -> Self {
    joining(required: Book.author.living(in: country))
  }
}
