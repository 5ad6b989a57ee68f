/// The phase of a writing connection's commit.
///
/// The events are SQLite's hooks and the ends of statements. This type combines them into the
/// outcome of a commit, without calling SQLite.
enum CommitPhase<Commit> {
  /// No commit is under way.
  ///
  /// Exit: the commit hook fires → `pending`.
  case idle

  /// The commit hook has fired; the commit may be visible already, or may fail.
  ///
  /// Exits, all to `idle`: its statement is reset; the WAL hook reports a commit of the raw handle;
  /// the rollback hook fires. When the commit hook fires again, SQLite retries the same commit.
  ///
  /// - Parameter isRaw: Whether the raw handle commits. No statement of this library is then reset
  ///   when the commit ends.
  case pending(Commit, isRaw: Bool)

  /// How a pending commit ended.
  enum Outcome {
    /// No commit was pending, or the commit is still pending.
    case none
    /// The commit succeeded.
    case committed(Commit)
    /// The commit may have succeeded, and the raw handle has begun another transaction since: the
    /// changes of the commit are no longer known.
    case committedUnseen(Commit)
    /// The commit failed.
    case failed(Commit)
  }

  var isPending: Bool {
    if case .pending = self { return true }
    return false
  }

  /// The commit hook has fired. `begin` is called unless SQLite retries the pending commit.
  mutating func commitHookDidFire(isRaw: Bool, begin: () -> Commit) {
    guard case .idle = self else { return }
    self = .pending(begin(), isRaw: isRaw)
  }

  /// A statement of the library has been reset, or the access ends.
  ///
  /// - Parameter isInTransaction: Whether the connection is in a transaction now.
  /// - Returns: The outcome of the pending commit.
  mutating func statementDidReset(isInTransaction: Bool) -> Outcome {
    guard case .pending(let commit, let isRaw) = self else { return .none }
    self = .idle
    guard isInTransaction else { return .committed(commit) }
    // Without a WAL, a reader can make a commit fail, which leaves the transaction open.
    return isRaw ? .committedUnseen(commit) : .failed(commit)
  }

  /// The WAL holds the commit.
  ///
  /// - Parameter mayBeOfStatement: Whether a statement of the library is running that may be the
  ///   committing statement. In that case, its reset ends the commit.
  /// - Returns: The outcome of the pending commit.
  mutating func walHookDidFire(mayBeOfStatement: Bool) -> Outcome {
    guard case .pending(let commit, isRaw: true) = self, !mayBeOfStatement else { return .none }
    self = .idle
    return .committed(commit)
  }

  /// The rollback hook has fired.
  mutating func rollbackHookDidFire() -> Outcome {
    guard case .pending(let commit, let isRaw) = self else { return .none }
    self = .idle
    // The raw handle's commit may have succeeded. The rollback then belongs to a later transaction.
    return isRaw ? .committedUnseen(commit) : .failed(commit)
  }
}
