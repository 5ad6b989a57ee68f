import Foundation
import GRDB

/// The board at the entrance: it shows what changes.
final class Board: Sendable {
  let database: LibraryDatabase

  /// The number of open loans, shared by all displays.
  let openLoans: SharedValueObservation<Int>

  init(_ database: LibraryDatabase) {
    self.database = database
    openLoans =
      ValueObservation
      .tracking { db in try Loan.all().open().fetchCount(db) }
      .removeDuplicates()
      .shared(in: database.reader, scheduling: .immediate, extent: .whileObserved)
  }

  static let newestBooks: ValueObservation<ValueReducers.Fetch<[Book]>> =
    ValueObservation.tracking { db in
      try Book.all().newestFirst().limit(3).fetchAll(db)
    }

  func showNewestBooks(
    onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable ([String]) -> Void
  ) -> AnyDatabaseCancellable {
    Board.newestBooks
      .map { books in books.map(\.title) }
      .removeDuplicates()
      .start(in: database.reader, scheduling: .immediate, onError: onError, onChange: onChange)
  }

  func infos() -> AsyncValueObservation<[BookInfo]> {
    ValueObservation
      .tracking { db in
        try Book
          .including(required: Book.author)
          .annotated(with: Book.loans.count)
          .order(Book.Columns.id)
          .asRequest(of: BookInfo.self)
          .fetchAll(db)
      }
      .values(in: database.reader)
  }

  /// Calls after each transaction that touches loans or books.
  func onTraffic(_ body: @escaping @Sendable (Database) -> Void) -> AnyDatabaseCancellable {
    DatabaseRegionObservation(tracking: Loan.all(), Book.select(Book.Columns.copies))
      .start(in: database.writer, onError: { _ in }, onChange: body)
  }
}

/// Counts the rows of loans that were committed.
final class LoanCounter: TransactionObserver {
  private(set) var committed = 0
  private var pending = 0

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
    if case .insert("loan") = eventKind {
      return true
    }
    return false
  }

  func databaseDidChange(with event: DatabaseEvent) {
    if event.kind == .insert {
      pending += 1
    }
  }

  func databaseDidCommit(_ db: Database) {
    committed += pending
    pending = 0
  }

  func databaseDidRollback(_ db: Database) {
    pending = 0
  }
}
