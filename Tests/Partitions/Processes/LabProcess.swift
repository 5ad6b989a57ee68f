import Foundation

/// A process of the lab, which ends with the lab.
///
/// Its owner uses it on the main thread: the kernel ends such a process with the thread that has
/// started it.
final class LabProcess {
  /// The beginning of the names of all namespaces and folders of labs. The number of the process
  /// follows.
  static let prefix = "wellspring-lab-"

  private(set) var number: pid_t

  /// Starts a program in the namespace of a host. Its output goes to the end of a file.
  init(_ arguments: [String], on host: Host, output: String) throws {
    let words = [
      "ip", "netns", "exec", host.namespace, "setpriv", "--pdeathsig", "KILL", "--",
    ]
    number = try Self.spawn(words + arguments, output: output)
    Cleanup.add(.kill(number))
  }

  deinit { kill() }

  /// Whether the process runs, or is stopped.
  var isRunning: Bool {
    guard number != 0 else { return false }
    guard waitpid(number, nil, WNOHANG) == number else { return true }
    forget()
    return false
  }

  /// Sends a signal.
  func signal(_ signal: Int32) {
    if number != 0 { Foundation.kill(number, signal) }
  }

  /// Ends the process as a crash does.
  func kill() {
    guard number != 0 else { return }
    signal(SIGKILL)
    while waitpid(number, nil, 0) == -1, errno == EINTR {}
    forget()
  }

  private func forget() {
    Cleanup.remove(.kill(number))
    number = 0
  }

  /// Whether a namespace or folder of this name belongs to a process that is gone.
  static func isLeftover(_ name: String) -> Bool {
    guard name.hasPrefix(prefix),
      let process = pid_t(name.dropFirst(prefix.count).prefix { $0.isNumber })
    else { return false }
    return process != getpid() && Foundation.kill(process, 0) == -1 && errno == ESRCH
  }

  /// Runs a command until it ends.
  ///
  /// - Throws: ``LabError/command(_:)`` with the output of the command if it fails.
  @discardableResult
  static func run(_ arguments: [String]) throws -> String {
    let output = NSTemporaryDirectory() + "wellspring-command-\(UUID().uuidString)"
    defer { unlink(output) }
    let process = try spawn(arguments, output: output)
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1, errno == EINTR {}
    let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
    guard status == 0 else {
      throw LabError.command("\(arguments.joined(separator: " ")): \(text.prefix(400))")
    }
    return text
  }

  private static func spawn(_ arguments: [String], output: String) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var words = arguments.map { strdup($0) } + [nil]
    let inherited = ProcessInfo.processInfo.environment.merging(["GOMAXPROCS": "2"]) { $1 }
    var variables = inherited.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in words + variables { free(word) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, arguments[0], &actions, nil, &words, &variables)
    guard code == 0 else {
      throw LabError.notAllowed("\(arguments[0]): \(String(cString: strerror(code)))")
    }
    return process
  }
}

/// Waits until a condition holds.
///
/// - Throws: ``LabError/overdue(_:)`` after the limit.
@discardableResult
func waiting<Value>(
  for what: String,
  limit: Duration = .seconds(60),
  _ condition: () throws -> Value?
) throws -> Value {
  let deadline = ContinuousClock.now + limit
  while true {
    if let value = try condition() { return value }
    guard ContinuousClock.now < deadline else { throw LabError.overdue(what) }
    usleep(20_000)
  }
}
