/// Why a recorded transaction cannot be repeated: the database differs from the one on which it was
/// recorded.
package enum Divergence: Error, Hashable, Sendable {
  /// A statement for one row has changed another number of rows.
  case rowCount(table: String, changed: Int)
  /// The table does not exist, or has other columns.
  case table(String)
  /// SQLite has refused a step.
  case refused(step: String, message: String)
  /// The transaction says itself that it cannot be repeated.
  case snapshotNeeded(reason: String)
}

extension Divergence: CustomStringConvertible {
  package var description: String {
    switch self {
    case .rowCount(let table, let changed):
      "a change of one row of \(table) has changed \(changed) rows"
    case .table(let name):
      "the table \(name) does not exist here, or has other columns"
    case .refused(let step, let message):
      "\(step) was refused: \(message)"
    case .snapshotNeeded(let reason):
      "the transaction cannot be repeated: \(reason)"
    }
  }
}
