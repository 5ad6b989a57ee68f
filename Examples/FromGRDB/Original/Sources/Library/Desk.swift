import Foundation
import GRDB

/// Lends books, and takes them back.
struct Desk {
  let database: LibraryDatabase

  @discardableResult
  func lend(_ bookId: Int64, to memberId: Member.ID, on day: String) async throws -> Loan {
    try await database.writer.write { db in
      let member = try Member.find(db, id: memberId)
      guard member.standing == .good else {
        throw LibraryError.blockedMember
      }
      return try Loan(bookId: bookId, memberId: memberId, lentOn: day).inserted(db)
    }
  }

  func takeBack(_ bookId: Int64, from memberId: Member.ID, on day: String) async throws {
    try await database.writer.write { db in
      let open =
        try Loan
        .filter(Loan.Columns.bookId == bookId && Loan.Columns.memberId == memberId)
        .open()
        .fetchOne(db)
      guard var loan = open else {
        throw RecordError.recordNotFound(
          databaseTableName: Loan.databaseTableName,
          key: ["bookId": bookId.databaseValue, "memberId": memberId.databaseValue]
        )
      }
      try loan.updateChanges(db) { $0.returnedOn = day }
    }
  }

  /// Adds copies, or the book.
  func acquire(_ book: Book) async throws -> Book {
    try await database.writer.write { db in
      if let isbn = book.isbn,
        var known = try Book.filter(Book.Columns.isbn == isbn).fetchOne(db)
      {
        try known.updateChanges(db) { $0.copies += book.copies }
        return known
      }
      var book = book
      try book.insert(db)
      return book
    }
  }

  func block(membersWithMoreThan limit: Int) async throws -> Int {
    try await database.writer.write { db in
      try Member
        .filter(
          literal: """
            id IN (SELECT memberId FROM openLoan GROUP BY memberId HAVING COUNT(*) > \(limit))
            """
        )
        .updateAll(db, Member.Columns.standing.set(to: Member.Standing.blocked))
    }
  }

  /// Loses a copy: the last one takes the book with it.
  func discard(_ bookId: Int64) throws {
    try database.writer.writeWithoutTransaction { db in
      try db.inTransaction(.immediate) {
        try Book.filter(id: bookId).updateAll(db, Book.Columns.copies -= 1)
        try Book.filter(Book.Columns.copies <= 0).deleteAll(db)
        return .commit
      }
    }
  }

  func rename(_ author: Author, to name: String) throws {
    try database.writer.write { db in
      var author = author
      author.name = name
      try author.update(db, columns: [Author.Columns.name])
    }
  }

  func move(_ ids: [Int64], to shelf: Book.Shelf) throws -> [Book] {
    try database.writer.write { db in
      try Book.filter(ids: ids).updateAll(db, Book.Columns.shelf.set(to: shelf))
      return try Book.fetchAll(db, ids: ids)
    }
  }
}
