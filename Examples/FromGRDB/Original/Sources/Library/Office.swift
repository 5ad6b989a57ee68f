import Foundation
import GRDB

/// A book and its author, from one row of SQL.
struct Card {
  var book: Book
  var author: Author
}

/// What happens behind the desk.
struct Office {
  let database: LibraryDatabase

  /// Registers a member, unless the email is taken.
  func register(_ member: Member) throws -> Bool {
    do {
      try database.writer.write { db in
        try member.insert(db)
      }
      return true
    } catch let error as DatabaseError {
      switch error.extendedResultCode {
      case .SQLITE_CONSTRAINT_FOREIGNKEY, .SQLITE_CONSTRAINT_CHECK:
        throw error
      case .SQLITE_CONSTRAINT:
        return false
      default:
        throw error
      }
    }
  }

  /// Renames a subject, or makes it.
  func label(_ code: String, _ label: String) throws -> Subject {
    try database.writer.write { db in
      try Subject(code: code, label: label).upsertAndFetch(
        db,
        onConflict: ["code"],
        doUpdate: { excluded in [Column("label").set(to: excluded[Column("label")])] }
      )
    }
  }

  /// Books by authors of a country that a member of this name has borrowed.
  func borrowed(by name: String, from country: String) throws -> [String] {
    try database.reader.read { db in
      let author = TableAlias()
      let member = TableAlias(name: "borrower")
      return
        try Book
        .joining(required: Book.author.aliased(author))
        .joining(required: Book.borrowers.aliased(member))
        .filter(author[Author.Columns.country] == country && member[Member.Columns.name] == name)
        .select(Book.Columns.title, as: String.self)
        .distinct()
        .order(Book.Columns.title)
        .fetchAll(db)
    }
  }

  func cards() throws -> [Card] {
    try database.reader.read { db in
      let adapters = try splittingRowAdapters(columnCounts: [
        Book.numberOfSelectedColumns(db),
        Author.numberOfSelectedColumns(db),
      ])
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT book.*, author.* FROM book JOIN author ON author.id = book.authorId
          ORDER BY book.id
          """,
        adapter: ScopeAdapter(["book": adapters[0], "author": adapters[1]])
      )
      return try Array(rows.map { row in Card(book: row["book"], author: row["author"]) })
    }
  }

  /// Removes the loans of a year that were returned, and says how many once this is certain.
  func archive(_ year: Int, then report: @escaping @Sendable (Int) -> Void) async throws {
    try await database.writer.write { db in
      let old = Loan.filter(
        Loan.Columns.lentOn.like("\(year)-%") && Loan.Columns.returnedOn != nil
      )
      let count = try old.deleteAll(db)
      db.afterNextTransaction { _ in report(count) }
    }
  }

  func copy(to path: String) throws {
    let copy = try DatabaseQueue(path: path)
    try database.writer.backup(to: copy)
    try copy.close()
  }

  func inventory() throws -> String {
    let stream = TextBuffer()
    try database.reader.dumpTables(["subject"], format: .list(), to: stream)
    return stream.text
  }
}

/// Collects the text of a dump.
private final class TextBuffer: TextOutputStream {
  var text = ""

  func write(_ string: String) {
    text += string
  }
}
