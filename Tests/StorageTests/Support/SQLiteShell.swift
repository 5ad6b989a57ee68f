import Foundation

/// The `sqlite3` program: a second process that knows nothing of this library.
enum SQLiteShell {
  struct Failure: Error, CustomStringConvertible {
    let status: Int32
    let output: String
    var description: String { "sqlite3 ended with \(status): \(output)" }
  }

  /// Runs SQL on a file and returns what is printed. No time-out is set.
  @discardableResult
  static func run(_ path: String, _ sql: String) throws -> String {
    let (status, bytes) = try spawn(["sqlite3", "-batch", "-bail", path, sql])
    let output = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
    guard status == 0 else { throw Failure(status: status, output: output) }
    return output
  }

  /// Runs a program to its end, with nothing to read, and returns its status and what it has printed.
  ///
  /// `Process` crashed once in a thousand runs where several threads used it.
  private static func spawn(_ arguments: [String]) throws -> (status: Int32, output: [UInt8]) {
    // A pipe that other children do not inherit, at whatever moment they are made.
    var pipe: [Int32] = [0, 0]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &pipe) == 0 else { throw POSIXError(.EMFILE) }
    defer { close(pipe[0]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, pipe[1], 1)
    posix_spawn_file_actions_adddup2(&actions, pipe[1], 2)
    var child: pid_t = 0
    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var environment: [UnsafeMutablePointer<CChar>?] = [nil]
    let code = posix_spawnp(&child, arguments[0], &actions, nil, &words, &environment)
    close(pipe[1])
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .ENOENT) }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(pipe[0], &buffer, buffer.count)
      guard count > 0 else { break }
      output += buffer[..<count]
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) == -1, errno == EINTR {}
    return (status & 0x7F == 0 ? (status >> 8) & 0xFF : -status, output)
  }
}
