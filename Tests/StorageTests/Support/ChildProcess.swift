import Foundation

/// A program that runs as a child of the tests, which write to it and read what it prints.
///
/// Foundation's `Process` crashed once in a thousand runs where several threads used it. Calls block
/// their thread.
final class ChildProcess: @unchecked Sendable {
  // Safe to share: one thread at a time uses it, as its owner sees to.

  let id: pid_t
  /// Our end of what the program reads and prints.
  private let socket: Int32
  private var status: Int32?

  /// Starts a program, whose name comes first.
  init(_ arguments: [String]) throws {
    // Not inherited by other children, at whatever moment they are made.
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
    var environment: [UnsafeMutablePointer<CChar>?] = [nil]
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

  /// Writes to the program. Nothing happens when it has ended.
  func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// The program reads nothing more.
  func endInput() { shutdown(socket, Int32(SHUT_WR)) }

  /// What is printed up to a mark, without it; or all that is printed when the program ends before.
  func read(until mark: String? = nil) -> String {
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

  func kill(_ signal: Int32) {
    if status == nil { Foundation.kill(id, signal) }
  }

  /// Waits for the end of the program.
  ///
  /// - Returns: Its status, or the number of the signal that ended it, made negative.
  @discardableResult
  func wait() -> Int32 {
    if let status { return status }
    var result: Int32 = 0
    while waitpid(id, &result, 0) == -1, errno == EINTR {}
    let code = result & 0x7F == 0 ? (result >> 8) & 0xFF : -(result & 0x7F)
    status = code
    return code
  }
}
