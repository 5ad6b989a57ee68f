internal import Dispatch
internal import Glibc
internal import WellspringSystem

/// The command that this process runs at the moment, which ends with this process, even if that is
/// killed.
final class RunningCommand: Sendable {
  /// The command of this process.
  static let shared = RunningCommand()

  private struct State {
    var identifier: pid_t?
    var hasEnded = false
    /// Started with the first command.
    var watchdog: CommandWatchdog?
  }

  // Guards the command, and whether the process ends.
  private let state = Lock(State())
  /// Signalled when the process ends.
  private let end = DispatchSemaphore(value: 0)

  /// Whether this process ends.
  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Notes a command, which is the leader of a process group.
  func begin(_ identifier: pid_t) {
    let hasEnded = state.withLock { state in
      state.identifier = identifier
      if state.watchdog == nil { state.watchdog = CommandWatchdog() }
      state.watchdog?.note(identifier)
      return state.hasEnded
    }
    if hasEnded { kill(-identifier, SIGTERM) }
  }

  /// Waits for the end of the noted command.
  ///
  /// - Returns: Its status.
  func wait(for identifier: pid_t) -> Int32 {
    // The command is not waited for under the lock, and its number is not reused before it is.
    var information = siginfo_t()
    while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    var status: Int32 = 0
    state.withLock { state in
      state.identifier = nil
      state.watchdog?.note(nil)
      while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    }
    return status
  }

  /// Ends the command, because this process ends: gently, and if that does not help, by force.
  func endWithProcess() {
    let identifier = state.withLock { state in
      state.hasEnded = true
      return state.identifier
    }
    end.signal()
    guard let identifier else { return }
    kill(-identifier, SIGTERM)
    // A stopped command handles the signal when it continues.
    kill(-identifier, SIGCONT)
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.7) { [self] in
      state.withLock { if $0.identifier == identifier { kill(-identifier, SIGKILL) } }
    }
  }

  /// Waits some seconds.
  ///
  /// - Returns: Whether this process continues.
  func pause(_ seconds: Double) -> Bool {
    guard end.wait(timeout: .now() + seconds) == .success else { return true }
    // Wake the next waiter, too.
    end.signal()
    return false
  }
}
