internal import Glibc

/// A process that ends the running command when this process is killed.
///
/// It reads which command runs from a pipe, whose end it sees even after `kill -9`.
struct CommandWatchdog {
  /// The end of the pipe to which commands are written.
  private let output: Int32

  private static let script = """
    while read -r group; do last=$group; done
    [ -n "$last" ] || exit 0
    exec 2>/dev/null
    for signal in TERM CONT; do kill -s $signal -- "-$last"; done
    sleep 1
    kill -s KILL -- "-$last"
    """

  /// Starts the process; `nil` if that is not possible.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    // A command that held the other end would keep the pipe open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    do {
      // In a group of its own, it outlives Ctrl-C, which ends this process.
      _ = try Spawning.start(
        "/bin/sh",
        ["sh", "-c", Self.script],
        standardInput: ends[0],
        silencesOutput: true,
        leadsGroup: true
      )
      output = ends[1]
    } catch {
      close(ends[1])
      return nil
    }
  }

  /// Notes the process group of the running command; `nil` when it has ended.
  func note(_ group: pid_t?) {
    let line = Array("\(group.map(String.init) ?? "")\n".utf8)
    _ = write(output, line, line.count)
  }
}
