/// Decides whether the rows and statements that SQLite reports are recorded, and whether SQLite may
/// commit.
///
/// It does not call SQLite.
struct RecordingPhase {
  /// The changes that are recorded.
  enum Scope {
    /// The changes of all statements.
    case all
    /// None, because the recorder or its delegate writes. The commit of the transaction is still
    /// prepared.
    case nothing
    /// None, because the present statements are not to be recorded. It commits without preparation.
    case bypassed
  }

  private enum State {
    /// The transaction is recorded, if there is one.
    ///
    /// Exit: all of it was recorded → `prepared`.
    case recording
    /// All was recorded, so that SQLite may commit.
    ///
    /// Exits: a row changes → `late`; the commit ends, or the transaction is rolled back →
    /// `recording`.
    case prepared
    /// A row has changed since all was recorded: SQLite must not commit.
    ///
    /// Exit: the transaction is rolled back → `recording`.
    case late
  }

  private(set) var scope = Scope.all
  private var state = State.recording
  /// Whether a statement runs that commits on its own, and changes no content.
  private(set) var runsNeutralStatement = false
  /// Whether the delegate was notified of the transaction, and not of its end yet.
  private(set) var isAnnounced = false
  private var refusal: RecordingError?

  /// Whether changes are recorded.
  var records: Bool { if case .all = scope { true } else { false } }

  /// Whether all of the transaction was recorded.
  var isPrepared: Bool { if case .recording = state { false } else { true } }

  /// Changes the scope, and returns the former one, which the caller must restore.
  mutating func enter(_ scope: Scope) -> Scope {
    let outer = self.scope
    // Statements of the recorder itself inside a bypass are not recorded either.
    if case .bypassed = outer { return outer }
    self.scope = scope
    return outer
  }

  /// Restores a scope.
  mutating func leave(to scope: Scope) { self.scope = scope }

  /// A row is about to change, which is recorded in this scope.
  ///
  /// - Returns: Whether it comes in time to be recorded.
  mutating func rowWillChange() -> Bool {
    guard isPrepared else { return true }
    state = .late
    return false
  }

  // MARK: Commits

  /// A statement is about to run that commits on its own, and changes no content.
  mutating func neutralStatementWillRun() { runsNeutralStatement = true }

  /// A statement has ended.
  ///
  /// - Returns: Whether it committed on its own, and changed no content.
  mutating func statementDidEnd() -> Bool {
    defer { runsNeutralStatement = false }
    return runsNeutralStatement
  }

  /// All of the transaction was recorded.
  mutating func prepare() { state = .prepared }

  /// The delegate is notified of the transaction.
  mutating func announce() { isAnnounced = true }

  /// The delegate has refused the transaction.
  mutating func withdraw() { isAnnounced = false }

  /// Decides whether SQLite may commit. If not, ``takeRefusal()`` says why.
  ///
  /// - Parameter hasContent: Whether anything was recorded, or any row has changed.
  /// - Returns: Whether it may.
  mutating func mayCommit(hasContent: Bool) -> Bool {
    if case .bypassed = scope { return true }
    switch state {
    case .prepared: return true
    case .late: refusal = .changedWhileCommitting
    case .recording where runsNeutralStatement && !hasContent: return true
    case .recording: refusal = .unrecordedCommit
    }
    return false
  }

  /// Returns the reason of the last refusal, once.
  mutating func takeRefusal() -> RecordingError? {
    defer { refusal = nil }
    return refusal
  }

  /// Whether the end of a statement that commits is the end of a recorded transaction. SQLite has
  /// already undone a transaction that it could not write.
  var awaitsEnd: Bool { isPrepared || isAnnounced }

  /// The commit has ended.
  ///
  /// - Returns: Whether the delegate is to be notified.
  mutating func commitDidEnd() -> Bool {
    defer { isAnnounced = false }
    state = .recording
    return isAnnounced
  }

  /// Another transaction begins, or this one was rolled back. The statement that was to commit it
  /// still ends.
  mutating func forgetTransaction() { state = .recording }
}
