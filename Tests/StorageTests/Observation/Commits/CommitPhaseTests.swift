import Testing

@testable import Storage

/// A commit of a statement, and of the raw handle, as SQLite's hooks report it.
@Suite struct CommitPhaseTests {
  private typealias Phase = CommitPhase<String>

  private func pending(isRaw: Bool = false) -> Phase {
    var phase = Phase.idle
    phase.commitHookDidFire(isRaw: isRaw) { "c" }
    return phase
  }

  private func text(_ outcome: Phase.Outcome) -> String {
    switch outcome {
    case .none: "none"
    case .committed(let commit): "committed \(commit)"
    case .committedUnseen(let commit): "committed unseen \(commit)"
    case .failed(let commit): "failed \(commit)"
    }
  }

  @Test func `a commit succeeds when its statement is reset outside a transaction`() {
    var phase = pending()
    #expect(phase.isPending)
    #expect(text(phase.statementDidReset(isInTransaction: false)) == "committed c")
    #expect(!phase.isPending)
    #expect(text(phase.statementDidReset(isInTransaction: false)) == "none")
  }

  @Test func `a commit fails when its statement is reset in the transaction`() {
    var phase = pending()
    #expect(text(phase.statementDidReset(isInTransaction: true)) == "failed c")
    #expect(!phase.isPending)
  }

  @Test func `a commit fails when SQLite rolls back`() {
    var phase = pending()
    #expect(text(phase.rollbackHookDidFire()) == "failed c")
    #expect(text(phase.rollbackHookDidFire()) == "none")
  }

  @Test func `the WAL hook does not end the commit of a statement`() {
    var phase = pending()
    #expect(text(phase.walHookDidFire(mayBeOfStatement: true)) == "none")
    #expect(text(phase.walHookDidFire(mayBeOfStatement: false)) == "none")
    #expect(phase.isPending)
  }

  @Test func `the WAL hook ends a commit of the raw handle`() {
    var phase = pending(isRaw: true)
    #expect(text(phase.walHookDidFire(mayBeOfStatement: true)) == "none")
    #expect(text(phase.walHookDidFire(mayBeOfStatement: false)) == "committed c")
    #expect(!phase.isPending)
  }

  @Test func `a commit of the raw handle is unseen when another transaction has begun or ended`() {
    var begun = pending(isRaw: true)
    #expect(text(begun.statementDidReset(isInTransaction: true)) == "committed unseen c")
    var rolledBack = pending(isRaw: true)
    #expect(text(rolledBack.rollbackHookDidFire()) == "committed unseen c")
  }

  @Test func `a commit that is tried again is the same commit`() {
    var phase = pending()
    phase.commitHookDidFire(isRaw: true) { "d" }
    #expect(text(phase.statementDidReset(isInTransaction: false)) == "committed c")
  }

  @Test func `events without a commit mean nothing`() {
    var phase = Phase.idle
    #expect(text(phase.statementDidReset(isInTransaction: true)) == "none")
    #expect(text(phase.walHookDidFire(mayBeOfStatement: false)) == "none")
    #expect(text(phase.rollbackHookDidFire()) == "none")
  }
}
