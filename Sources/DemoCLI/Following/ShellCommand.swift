internal import CommandLineSupport
internal import FoundationEssentials
internal import Glibc

/// A command of the shell, which runs once for each text that it gets as its standard input.
struct ShellCommand: Equatable {
  let text: String

  /// How a run has ended.
  enum Outcome: Equatable {
    case exited(Int32)
    case signalled(Int32)

    /// Why the run failed; `nil` if it succeeded.
    var failure: String? {
      switch self {
      case .exited(0): nil
      case .exited(let code): "exit code \(code)"
      case .signalled(let signal): "signal \(signal)"
      }
    }
  }

  /// Runs the command to its end.
  ///
  /// - Parameter write: Writes the standard input of the command, which may close it early.
  /// - Returns: How the run has ended.
  /// - Throws: The error of `write`, or a ``ToolError`` when the shell cannot be started.
  func run(_ write: (Output) throws -> Void) throws -> Outcome {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Spawning.failure(errno) }
    // The command must not hold the other end of its own input, or the input would never end.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let identifier: pid_t
    do {
      defer { close(ends[0]) }
      identifier = try Spawning.start(
        "/bin/sh",
        ["sh", "-c", text],
        standardInput: ends[0],
        silencesOutput: false,
        leadsGroup: true
      )
      RunningCommand.shared.begin(identifier)
    } catch {
      close(ends[1])
      throw error
    }
    var failure: (any Error)?
    do {
      defer { close(ends[1]) }
      try write(Output(descriptor: ends[1]))
    } catch Output.Failure.closed {
      // The command needs no more of its input.
    } catch {
      failure = error
    }
    let status = RunningCommand.shared.wait(for: identifier)
    if let failure { throw failure }
    return status & 0x7F == 0 ? .exited((status >> 8) & 0xFF) : .signalled(status & 0x7F)
  }
}
