extension LookSchedule {
  /// The known state of an observed file, and the schedule of its looks.
  struct Active: Sendable {
    /// The file that was at the path at the last look.
    var identity: Identity?
    /// The attached files that are watched.
    var attachedFiles: [String] = []
    /// Whether events come from all directories of the file and its attached files.
    var isWatchingAll = false
    private var phase: Phase

    private enum Phase {
      /// No look is due before the next tick.
      /// Exits: an event or a waiter to `looking` in a sequence, a tick to `looking` in none.
      case resting
      /// A look of the sequence is due when the pause ends. The waiters wait for its result.
      /// Exits: the end of the pause to `looking` in the same sequence, an event or a waiter to
      /// `looking` in another one.
      case pausing(number: UInt64, LookSequence, [Waiter])
      /// A look is under way.
      /// Exits: its end to `looking` when another look was requested meanwhile, else to `pausing`
      /// when its sequence continues and the file is not settled, else to `resting`.
      case looking(Look)
    }

    /// A look that is under way.
    private struct Look {
      /// The looks that follow; `nil` after a tick.
      var sequence: LookSequence?
      /// The waiters for its result.
      var waiters: [Waiter]
      /// The waiters for the result of the next look, which was requested during this one and
      /// follows it immediately; `nil` when none was requested.
      var followers: [Waiter]?
    }

    /// Begins a sequence of looks. The first one comes after the look that is under way, if there
    /// is one.
    init(identity: Identity?, isLooking: Bool) {
      self.identity = identity
      let followers: [Waiter]? = isLooking ? [] : nil
      phase = .looking(Look(sequence: .afterEvent, waiters: [], followers: followers))
    }

    var isResting: Bool {
      if case .resting = phase { true } else { false }
    }

    var isLooking: Bool {
      if case .looking = phase { true } else { false }
    }

    /// Whether further looks follow without an event.
    var isInSequence: Bool {
      switch phase {
      case .resting: false
      case .pausing: true
      case .looking(let look): look.sequence != nil
      }
    }

    /// Answers the waiters of the look that is under way or due, and of the look that follows it.
    func answerAll() -> [Action] {
      switch phase {
      case .resting: []
      case .pausing(_, _, let waiters): Self.answer(waiters)
      case .looking(let look): Self.answer(look.waiters + (look.followers ?? []))
      }
    }

    private static func answer(_ waiters: [Waiter]) -> [Action] {
      waiters.isEmpty ? [] : [.answer(waiters)]
    }

    /// Looks now, or after the look that is under way. Later looks follow `sequence`, which
    /// replaces the previous one.
    mutating func look(in sequence: LookSequence?, for newWaiters: [Waiter] = []) -> [Action] {
      switch phase {
      case .resting:
        phase = .looking(Look(sequence: sequence, waiters: newWaiters))
        return [.beginLook]
      case .pausing(_, _, let waiters):
        phase = .looking(Look(sequence: sequence, waiters: waiters + newWaiters))
        return [.beginLook]
      case .looking(var look):
        look.sequence = sequence
        look.followers = (look.followers ?? []) + newWaiters
        phase = .looking(look)
        return []
      }
    }

    mutating func pauseDidEnd(_ endedNumber: UInt64) -> [Action] {
      guard case .pausing(endedNumber, let sequence, let waiters) = phase else { return [] }
      phase = .looking(Look(sequence: sequence, waiters: waiters))
      return [.beginLook]
    }

    mutating func lookDidEnd(
      _ finding: ForeignCommitFinding,
      _ lastPause: inout UInt64
    ) -> [Action] {
      guard case .looking(let look) = phase else { return [] }
      // An unsettled file is looked at again, as long as looks remain.
      let isAnswer = finding != .unsettled || look.sequence?.isAtEnd ?? true
      let answer = isAnswer ? Self.answer(look.waiters) : []
      let waiters = isAnswer ? [] : look.waiters
      if let followers = look.followers {
        phase = .looking(Look(sequence: look.sequence, waiters: waiters + followers))
        return answer + [.beginLook]
      }
      if finding == .settled {
        phase = .resting
        return answer + [.rest]
      }
      guard var sequence = look.sequence else {
        phase = .resting
        // After a commit that was found without an event, another commit may not be visible yet. So
        // the probe stays open for the next tick.
        return answer + (finding == .none ? [.rest] : [])
      }
      guard let pause = sequence.takePause() else {
        phase = .resting
        return answer + [.rest]
      }
      lastPause += 1
      phase = .pausing(number: lastPause, sequence, waiters)
      return answer + [.pause(pause, number: lastPause)]
    }
  }
}
