/// The statements that begin and end the transactions of a connection.
///
/// They are found without looking up their SQL, which would take as long as a small read.
struct TransactionStatements {
  /// A statement that begins or ends a transaction.
  enum Command: Int, CaseIterable {
    case beginDeferred
    case beginImmediate
    case beginExclusive
    case commit
    case rollback

    init(_ kind: Database.TransactionKind) {
      switch kind {
      case .deferred: self = .beginDeferred
      case .immediate: self = .beginImmediate
      case .exclusive: self = .beginExclusive
      }
    }

    var sql: String {
      switch self {
      case .beginDeferred: "BEGIN DEFERRED"
      case .beginImmediate: "BEGIN IMMEDIATE"
      case .beginExclusive: "BEGIN EXCLUSIVE"
      case .commit: "COMMIT"
      case .rollback: "ROLLBACK"
      }
    }
  }

  private var statements: [Statement?] = Array(repeating: nil, count: Command.allCases.count)

  /// Returns the statement of a command when it was compiled and is idle.
  func idleStatement(_ command: Command) -> Statement? {
    guard let statement = statements[command.rawValue], !statement.isRunning,
      !statement.isReserved
    else { return nil }
    return statement
  }

  mutating func insert(_ statement: Statement, for command: Command) {
    statements[command.rawValue] = statement
  }

  mutating func removeAll() { self = TransactionStatements() }
}
