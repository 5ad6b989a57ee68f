import Foundation
import GRDB

/// A copy of a book that a member has, or had.
struct Loan: Codable, Equatable, Sendable {
  private(set) var id: Int64?
  var bookId: Int64
  var memberId: UUID
  var lentOn: String
  var returnedOn: String?
}

extension Loan: FetchableRecord, MutablePersistableRecord {
  enum Columns {
    static let id = Column(CodingKeys.id)
    static let bookId = Column(CodingKeys.bookId)
    static let memberId = Column(CodingKeys.memberId)
    static let lentOn = Column(CodingKeys.lentOn)
    static let returnedOn = Column(CodingKeys.returnedOn)
  }

  static let book = belongsTo(Book.self)
  static let member = belongsTo(Member.self, key: "member", using: ForeignKey(["memberId"]))

  /// Writes a line in the journal around each change, and keeps lent books within the copies.
  func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws {
    if returnedOn == nil {
      let book = try Book.find(db, id: bookId)
      let lent = try book.loans.open().filter(Columns.id != id).fetchCount(db)
      guard lent < book.copies else {
        throw LibraryError.noCopyLeft(title: book.title)
      }
    }
    _ = try save()
    try db.execute(
      sql: "INSERT INTO journal (entry, at) VALUES (?, ?)",
      arguments: [returnedOn == nil ? "lent \(bookId)" : "returned \(bookId)", db.transactionDate]
    )
  }

  mutating func didInsert(_ inserted: InsertionSuccess) {
    id = inserted.rowID
  }
}

extension DerivableRequest<Loan> {
  func open() -> Self {
    filter(Loan.Columns.returnedOn == nil)
  }
}
