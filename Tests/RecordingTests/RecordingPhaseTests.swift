import Testing

@testable import Recording
@testable import Storage

/// The phase as text: the events, and its answers.
@Suite struct RecordingPhaseTests {
  /// Runs a script, and returns the answers.
  private func answers(_ script: String) -> String {
    var phase = RecordingPhase()
    var scopes: [RecordingPhase.Scope] = []
    return script.split(separator: ",").compactMap { step -> String? in
      switch step.trimmingPrefix(while: \.isWhitespace) {
      case "row": return !phase.records ? "ignored" : phase.rowWillChange() ? "recorded" : "late"
      case "neutral": phase.neutralStatementWillRun()
      case "end": return phase.statementDidEnd() ? "neutral" : "plain"
      case "prepare": phase.prepare()
      case "announce": phase.announce()
      case "withdraw": phase.withdraw()
      case "commit": return phase.mayCommit(hasContent: true) ? "yes" : "no"
      case "commit nothing": return phase.mayCommit(hasContent: false) ? "yes" : "no"
      case "refusal":
        return switch phase.takeRefusal() {
        case .unrecordedCommit: "unrecordedCommit"
        case .changedWhileCommitting: "changedWhileCommitting"
        case let other: other == nil ? "none" : "?"
        }
      case "done":
        let awaits = phase.awaitsEnd
        return phase.commitDidEnd() ? "notify" : awaits ? "silent" : "unknown"
      case "roll back": phase.forgetTransaction()
      case "own": scopes.append(phase.enter(.nothing))
      case "bypass": scopes.append(phase.enter(.bypassed))
      case "leave": phase.leave(to: scopes.removeLast())
      default: return "?"
      }
      return nil
    }.joined(separator: " ")
  }

  @Test(arguments: [
    // All was recorded.
    ("row, prepare, announce, commit, done", "recorded yes notify"),
    ("prepare, commit, done", "yes silent"),
    // Only `Database` records.
    ("row, commit, refusal, refusal", "recorded no unrecordedCommit none"),
    ("commit nothing, refusal", "no unrecordedCommit"),
    // A row changes too late.
    ("row, prepare, row, commit, refusal", "recorded late no changedWhileCommitting"),
    ("prepare, row, roll back, row, commit", "late recorded no"),
    // SQLite undoes a transaction that the delegate was notified of.
    ("prepare, announce, roll back, done, done", "notify unknown"),
    ("prepare, announce, withdraw, roll back, done", "unknown"),
    // A statement commits on its own.
    ("neutral, commit nothing, end, end", "yes neutral plain"),
    ("neutral, commit, refusal", "no unrecordedCommit"),
    ("neutral, prepare, announce, commit, end, done", "yes neutral notify"),
    // The delegate writes into the transaction.
    ("row, own, row, leave, row", "recorded ignored recorded"),
    ("own, row, prepare, announce, leave, commit, done", "ignored yes notify"),
    ("own, commit", "no"),
    // Writes that bypass the recorder.
    ("bypass, row, commit, leave, row, commit", "ignored yes recorded no"),
    ("bypass, own, row, commit, leave, commit, leave, commit nothing", "ignored yes yes no"),
    ("own, bypass, commit, leave, row, leave, row", "yes ignored recorded"),
  ])
  func `a phase answers`(script: String, expected: String) {
    #expect(answers(script) == expected)
  }
}
