package import Foundation

/// A program that runs as a child process. Tests write to its input and read its output.
///
/// It replaces Foundation's `Process`, which crashed once in a thousand runs when several threads
/// used it. All calls block their thread.
package final class ChildProcess: @unchecked Sendable {
  // Safe to share: its owner uses it on one thread at a time.

  package let id: pid_t
  /// Our end of the program's input and output.
  private let socket: Int32
  private var status: Int32?

  /// The environment of the program. Another SQLite is found by its path, and a program that is
  /// compiled with a sanitizer reports what the tests report. Nothing else shall matter.
  private static var environment: [String] {
    let names = ["LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS"]
    return names.compactMap { name in getenv(name).map { "\(name)=" + String(cString: $0) } }
  }

  /// Starts a program. Its name is the first argument.
  package init(_ arguments: [String]) throws {
    // Close-on-exec, so that no other child inherits the socket, whenever it starts.
    var sockets: [Int32] = [0, 0]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &sockets) == 0 else { throw POSIXError(.EMFILE) }
    defer { close(sockets[1]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in 0...2 {
      posix_spawn_file_actions_adddup2(&actions, sockets[1], descriptor)
    }
    var child: pid_t = 0
    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var environment = Self.environment.map { strdup($0) } + [nil]
    defer { for variable in environment { free(variable) } }
    let code = posix_spawnp(&child, arguments[0], &actions, nil, &words, &environment)
    guard code == 0 else {
      close(sockets[0])
      throw POSIXError(POSIXErrorCode(rawValue: code) ?? .ENOENT)
    }
    socket = sockets[0]
    id = child
  }

  deinit {
    kill(SIGKILL)
    wait()
    close(socket)
  }

  /// Writes to the program's input, unless the program has ended.
  package func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Closes the program's input.
  package func endInput() { shutdown(socket, Int32(SHUT_WR)) }

  /// Returns the output up to a mark, without the mark; or the remaining output when the program
  /// ends before.
  package func read(until mark: String? = nil) -> String {
    let mark = mark.map { Array($0.utf8) }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      output += buffer[..<count]
      if let mark, output.suffix(mark.count).elementsEqual(mark) {
        output.removeLast(mark.count)
        break
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Sends a signal to the program, unless the program has ended.
  package func kill(_ signal: Int32) {
    if status == nil { Foundation.kill(id, signal) }
  }

  /// Waits until the program ends.
  ///
  /// - Returns: Its exit status, or the negative number of the signal that ended it.
  @discardableResult
  package func wait() -> Int32 {
    if let status { return status }
    var result: Int32 = 0
    while waitpid(id, &result, 0) == -1, errno == EINTR {}
    let code = result & 0x7F == 0 ? (result >> 8) & 0xFF : -(result & 0x7F)
    status = code
    return code
  }
}
