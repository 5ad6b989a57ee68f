package import Foundation

/// Starting programs. Foundation's `Process` crashed once in a thousand runs when several threads
/// used it.
package enum Spawn {
  /// Starts a program that has nothing to read. Its output goes nowhere.
  ///
  /// - Parameters:
  ///   - arguments: The path of the program, and its arguments.
  ///   - environment: Variables that are added to the environment of this process.
  /// - Returns: The process.
  /// - Throws: An error if the program cannot be started.
  package static func start(_ arguments: [String], environment: [String: String] = [:]) throws
    -> pid_t
  {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in 0...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    let all = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
    var words = arguments.map { strdup($0) } + [nil]
    var variables = all.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in words + variables { free(word) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, arguments[0], &actions, nil, &words, &variables)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .ENOENT) }
    return process
  }

  /// Waits for the end of a process that this process has started.
  package static func wait(for process: pid_t) {
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1, errno == EINTR {}
  }

  /// Whether a process that this process has started has ended. It is waited for then.
  package static func hasEnded(_ process: pid_t) -> Bool {
    var status: Int32 = 0
    return waitpid(process, &status, WNOHANG) == process
  }
}
