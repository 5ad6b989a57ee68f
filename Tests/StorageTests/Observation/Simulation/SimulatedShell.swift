import Foundation

/// A `sqlite3` process that stays: another process, which knows nothing of the library.
///
/// Calls block their thread until the process has answered.
final class SimulatedShell {
  private var process: pid_t = 0
  /// Our end of what the process reads and prints.
  private let socket: Int32
  private var scripts = 0

  init(path: String) throws {
    // Not inherited by other children. `Process` is not safe to use on several threads.
    var sockets: [Int32] = [0, 0]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &sockets) == 0 else {
      throw SimulationFailure("no socket for sqlite3")
    }
    socket = sockets[0]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, sockets[1], 0)
    posix_spawn_file_actions_adddup2(&actions, sockets[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    let words = ["sqlite3", "-batch", path]
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var environment: [UnsafeMutablePointer<CChar>?] = [nil]
    let code = posix_spawnp(&process, "sqlite3", &actions, nil, &arguments, &environment)
    close(sockets[1])
    guard code == 0 else { throw SimulationFailure("sqlite3 does not start: \(code)") }
    try run(["PRAGMA busy_timeout = 5000", "PRAGMA foreign_keys = ON"])
  }

  /// Runs statements, whether they fail or not.
  func run(_ statements: [String]) throws {
    scripts += 1
    let end = "end of \(scripts)"
    try write(statements.map { $0 + ";\n" }.joined() + ".print '\(end)'\n")
    var printed = ""
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !printed.contains(end) {
      let count = read(socket, &buffer, buffer.count)
      guard count > 0 else { throw SimulationFailure("the sqlite3 process has ended") }
      printed += String(decoding: buffer[..<count], as: UTF8.self)
    }
  }

  private func write(_ script: String) throws {
    var rest = Array(script.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw SimulationFailure("the sqlite3 process has ended") }
      rest = rest.dropFirst(count)
    }
  }

  /// Ends the process.
  func end() {
    close(socket)
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1, errno == EINTR {}
  }
}
