import Foundation
import GRDB

/// A person who has written books.
struct Author: Codable, Identifiable, Hashable, Sendable {
  var id: Int64?
  var name: String
  var country: String?
}

extension Author: FetchableRecord, MutablePersistableRecord {
  enum Columns {
    static let id = Column(CodingKeys.id)
    static let name = Column(CodingKeys.name)
    static let country = Column(CodingKeys.country)
  }

  static let books = hasMany(Book.self)
  static let loans = hasMany(Loan.self, through: books, using: Book.loans)

  var books: QueryInterfaceRequest<Book> { request(for: Author.books) }

  mutating func didInsert(_ inserted: InsertionSuccess) {
    id = inserted.rowID
  }
}

extension DerivableRequest<Author> {
  func living(in country: String) -> Self {
    filter(Author.Columns.country == country)
  }

  func alphabetically() -> Self {
    order(Author.Columns.name.collating(.localizedNames))
  }
}
