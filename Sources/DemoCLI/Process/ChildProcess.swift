internal import CommandLineSupport
internal import FoundationEssentials
internal import Glibc

/// A child process that runs this executable, and does not outlive this process.
///
/// Its standard input is a pipe to which nothing is ever written. When this process ends, even if
/// it is killed, the pipe is closed, and the child must end. (`PR_SET_PDEATHSIG` is not an
/// alternative, because it reports the end of a thread, not of a process.)
struct ChildProcess {
  private let identifier: pid_t
  private let input: Int32

  /// Starts the process.
  ///
  /// - Parameters:
  ///   - ownSubcommand: The subcommand of this tool to run.
  ///   - arguments: The arguments of the subcommand.
  /// - Throws: ``ToolError`` when the process cannot be started.
  init(ownSubcommand: String, arguments: [String]) throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Spawning.failure(errno) }
    // The child must not hold the end that keeps it alive.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    do {
      // The reader of this process's output must not have to wait until the child closes it, too.
      identifier = try Spawning.start(
        Self.ownExecutable,
        [CommandLine.arguments[0], ownSubcommand] + arguments,
        standardInput: ends[0],
        silencesOutput: true
      )
      input = ends[1]
    } catch {
      close(ends[1])
      throw error
    }
  }

  /// Kills the process, and waits until it has ended.
  func terminate() {
    close(input)
    // A stopped process, such as after Ctrl-Z, would not handle a gentler signal.
    kill(identifier, SIGKILL)
    while waitpid(identifier, nil, 0) < 0, errno == EINTR {}
  }

  /// The path of this process's executable, or the link to it if the file was deleted.
  private static var ownExecutable: String {
    let link = "/proc/self/exe"
    guard let path = realpath(link, nil) else { return link }
    defer { free(path) }
    return String(cString: path)
  }
}
