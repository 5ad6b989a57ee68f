internal import Dispatch
internal import WellspringSystem

/// The knowledge of a node whose log is silent.
extension Node {
  /// Looks from time to time whether the log is silent, until the node is closed.
  func watchContact() {
    guard !isClosed else { return }
    let limit = options.electionTimeout.nanoseconds
    var pause = min(limit / 8, reportStatus())
    if let begin = log.contact.silenceBegin(options.electionTimeout) {
      let now = MonotonicClock.now
      if now >= begin { noteSilence() } else { pause = min(pause, begin - now) }
    }
    listeners.notify { status }
    let nanoseconds = Int(clamping: min(max(pause, 1_000_000), 1_000_000_000))
    contactQueue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in
      self?.watchContact()
    }
  }

  /// Ends the primacy and the claims of a node whose log has been silent for an election timeout:
  /// another node may be the primary.
  ///
  /// It does not wait for the call that has no answer.
  private func noteSilence() {
    let (isConnected, isPrimary) = state.withLock { ($0.isConnected, $0.isPrimary) }
    guard isConnected || isPrimary else { return }
    if isPrimary { primacy.revoke() }
    update { state in
      state.noteError("The log has not answered for \(options.electionTimeout).", isOfLog: true)
      state.isConnected = false
      state.stepDown()
    }
    if isPrimary { wakeUp.signal() }
  }
}
