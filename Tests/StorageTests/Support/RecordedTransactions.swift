import Recording
import Storage

/// Keeps the transactions that a connection records.
final class RecordedTransactions: TransactionRecorderDelegate {
  private(set) var all: [RecordedTransaction] = []
  private(set) var foreignCommits = 0
  /// Called when another connection has committed.
  var foreignCommitWasFound: (() throws -> Void)?

  /// The items of the last transaction.
  var lastItems: [RecordedItem] { all.last?.items ?? [] }

  func willCommit(_ transaction: RecordedTransaction, _ db: Database) { all.append(transaction) }
  func didRollBack(_ db: Database) { all.removeLast() }

  func foreignCommitWasFound(_ db: Database) throws {
    foreignCommits += 1
    try foreignCommitWasFound?()
  }
}

extension DatabaseWriter {
  /// Records the transactions of the writer from here on.
  func recordTransactions() throws -> RecordedTransactions {
    let transactions = RecordedTransactions()
    try writeWithoutTransaction { try $0.startRecording(transactions) }
    return transactions
  }
}

extension RecordedItem {
  /// Why the transaction cannot be repeated elsewhere, if this item says so.
  var snapshotReason: String? {
    if case .snapshotNeeded(let reason) = self { reason } else { nil }
  }
}
