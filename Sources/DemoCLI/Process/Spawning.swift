internal import CommandLineSupport
internal import FoundationEssentials
internal import Glibc

/// Starts child processes.
enum Spawning {
  /// Starts an executable with the signals of a new process.
  ///
  /// - Parameters:
  ///   - executable: The path of the executable.
  ///   - arguments: The arguments. The first one is the name of the program.
  ///   - standardInput: The descriptor that becomes the standard input.
  ///   - silencesOutput: Whether the standard output of the child is `/dev/null`.
  ///   - leadsGroup: Whether the child is the leader of a process group. Its own children belong to
  ///     the group.
  /// - Returns: The identifier of the process.
  /// - Throws: ``ToolError`` when the process cannot be started.
  static func start(
    _ executable: String,
    _ arguments: [String],
    standardInput: Int32,
    silencesOutput: Bool,
    leadsGroup: Bool = false
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, standardInput, STDIN_FILENO)
    if silencesOutput {
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    // This process ignores SIGPIPE, and a child would inherit that.
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes,
      Int16(
        POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (leadsGroup ? POSIX_SPAWN_SETPGROUP : 0)
      )
    )

    let argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { argv.forEach { free($0) } }
    var identifier: pid_t = 0
    let code = posix_spawn(&identifier, executable, &actions, &attributes, argv, environ)
    guard code == 0 else { throw failure(code) }
    return identifier
  }

  static func failure(_ code: Int32) -> ToolError {
    ToolError("cannot start a second process: \(String(cString: strerror(code)))")
  }
}
