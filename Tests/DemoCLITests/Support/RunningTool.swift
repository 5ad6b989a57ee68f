import CommandLineSupport
import Foundation
import Glibc
import Testing
import TestSupport

/// A process that a test has started, with its output.
///
/// Waiting does not block a thread, and fails after ``patience``.
final class RunningTool {
  /// Where the standard output of the process goes.
  enum OutputKind {
    case pipe
    case terminal(columns: UInt16, rows: UInt16)
    /// Standard output is closed.
    case closed
  }

  /// The longest time that a test waits for a condition.
  static let patience = Patience.limit

  private static let spawning = NSLock()

  private let identifier: pid_t
  /// The end of the pipe or of the pseudo-terminal that the test reads.
  private var output: Int32
  private var errors: Int32
  /// Where the process says that it is ready.
  private let readiness: ReadinessSocket
  /// Whether the test reads the output while it waits.
  var readsOutput = true
  /// Whether the output is kept. A large one is quicker to count.
  var keepsOutput = true
  private(set) var outputBytes: [UInt8] = []
  private(set) var outputCount = 0
  private var errorBytes: [UInt8] = []
  private var exitStatus: Int32?
  /// The number of output bytes that ``nextLine()`` has returned.
  private var lineStart = 0

  /// Starts the tool with arguments.
  convenience init(_ arguments: String..., output: OutputKind = .pipe) throws {
    try self.init(arguments: arguments, output: output)
  }

  /// Starts the tool with arguments.
  convenience init(arguments: [String], output: OutputKind = .pipe) throws {
    try self.init(executable: Self.toolPath, arguments: arguments, output: output)
  }

  /// Starts an executable, which is searched for in `PATH`.
  init(executable: String, arguments: [String], output kind: OutputKind = .pipe) throws {
    // No other process may inherit descriptors that are not closed on exec yet.
    Self.spawning.lock()
    defer { Self.spawning.unlock() }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var toClose: [Int32] = []
    defer { for descriptor in toClose { close(descriptor) } }

    switch kind {
    case .pipe:
      let ends = try makePipe()
      output = ends.read
      toClose.append(ends.write)
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, ends.write, STDOUT_FILENO)
    case .closed:
      output = -1
      posix_spawn_file_actions_addclose(&actions, STDOUT_FILENO)
    case .terminal(let columns, let rows):
      // The terminal is one, wherever the tests run.
      setenv("TERM", "xterm", 0)
      let terminal = try makeTerminal(columns: columns, rows: rows)
      output = terminal.controller
      toClose.append(terminal.device)
      // With POSIX_SPAWN_SETSID, the first terminal that the process opens becomes its controlling
      // terminal.
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, terminal.name, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
    }
    let errorEnds = try makePipe()
    errors = errorEnds.read
    toClose.append(errorEnds.write)
    posix_spawn_file_actions_adddup2(&actions, errorEnds.write, STDERR_FILENO)
    for descriptor in [output, errors] where descriptor >= 0 {
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    let setsid: Int16 = 0x80  // POSIX_SPAWN_SETSID
    posix_spawnattr_setflags(&attributes, setsid | Int16(POSIX_SPAWN_SETSIGMASK))

    readiness = try ReadinessSocket()
    let variables = ProcessInfo.processInfo.environment
      .merging(["NOTIFY_SOCKET": readiness.name]) { _, new in new }
    let environment: [UnsafeMutablePointer<CChar>?] =
      variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { environment.forEach { free($0) } }
    let argv: [UnsafeMutablePointer<CChar>?] = ([executable] + arguments).map { strdup($0) } + [nil]
    defer { argv.forEach { free($0) } }
    var identifier: pid_t = 0
    let code = posix_spawnp(&identifier, executable, &actions, &attributes, argv, environment)
    self.identifier = identifier
    try #require(code == 0, "\(executable) cannot be started: \(String(cString: strerror(code)))")
  }

  deinit {
    closeOutput()
    close(errors)
    guard exitStatus == nil else { return }
    kill(identifier, SIGKILL)
    waitpid(identifier, nil, 0)
  }

  /// The path of the built executable, which is in the folder of the test bundle.
  static var toolPath: String {
    let bundle = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return bundle.deletingLastPathComponent().appendingPathComponent("wellspring").path
  }

  /// The descriptor of the pseudo-terminal.
  var terminal: Int32 { output }

  var outputText: String { String(decoding: outputBytes, as: UTF8.self) }
  var errorText: String { String(decoding: errorBytes, as: UTF8.self) }
}

// MARK: - Controlling the process

extension RunningTool {
  func send(_ signal: Int32) {
    kill(identifier, signal)
  }

  /// Closes the output, so the process writes to a closed pipe.
  func closeOutput() {
    guard output >= 0 else { return }
    close(output)
    output = -1
  }

  /// Changes the size of the terminal's window, which sends SIGWINCH to the process.
  func resize(columns: UInt16, rows: UInt16) throws {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(ioctl(output, UInt(TIOCSWINSZ), &size) == 0)
  }

  /// Whether the terminal shows typed characters.
  var terminalEchoes: Bool {
    var modes = termios()
    tcgetattr(output, &modes)
    return modes.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Returns whether a signal has stopped the process.
  func isStopped() throws -> Bool {
    try String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8).contains(") T ")
  }

  /// Waits until the pipe of the output is full.
  func waitForFullPipe() async throws {
    let deadline = ContinuousClock.now + Self.patience
    let capacity = fcntl(output, 1032)  // F_GETPIPE_SZ
    var held: Int32 = 0
    while held < capacity {
      try #require(ioctl(output, UInt(FIONREAD), &held) == 0)
      let isInTime = ContinuousClock.now < deadline
      try #require(isInTime, "the pipe holds \(held) of \(capacity) bytes")
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Returns the largest memory of the process so far, in kilobytes.
  func peakMemory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
    let line = try #require(status.firstMatch(of: /VmHWM:\s*(\d+) kB/))
    return try #require(Int(line.1))
  }

  /// Returns the child processes of the process.
  func children() throws -> [pid_t] {
    let path = "/proc/\(identifier)/task/\(identifier)/children"
    return try String(contentsOfFile: path, encoding: .utf8).split(separator: " ")
      .compactMap { pid_t($0) }
  }

  /// Waits until the tool has read its first value, so that it notices each commit from then on.
  func waitUntilReady() async throws {
    try await wait("the first value") { $0.isReady }
  }

  /// Whether the tool has said that it has read its first value.
  var isReady: Bool { readiness.isReady() }

  /// Waits for the next line of the output, and returns it.
  func nextLine() async throws -> String {
    try await wait("a line") { tool in tool.outputBytes[tool.lineStart...].contains(10) }
    let end = try #require(outputBytes[lineStart...].firstIndex(of: 10))
    defer { lineStart = end + 1 }
    return String(decoding: outputBytes[lineStart..<end], as: UTF8.self)
  }

  /// Waits for the next line of the output that contains `text`, and returns it.
  func nextLine(with text: String) async throws -> String {
    while true {
      let line = try await nextLine()
      if line.contains(text) { return line }
    }
  }

  /// Waits for the end of the process, and returns its exit code, or 128 plus the number of the
  /// signal that ended it.
  func exitCode() async throws -> Int32 {
    try await wait("the end of the process") { tool in tool.hasEnded }
    readAll()
    let status = try #require(exitStatus)
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }

  /// Reads the output of the process until `condition` holds.
  func wait(
    _ wish: String,
    until condition: (RunningTool) throws -> Bool
  ) async throws {
    let deadline = ContinuousClock.now + Self.patience
    while true {
      readAll()
      if try condition(self) { return }
      guard ContinuousClock.now < deadline else {
        throw Impatience(wish: wish, output: outputText, errors: errorText)
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Reads the output of the process until `condition` holds, or the time is over.
  ///
  /// - Returns: Whether the condition holds.
  func comes(within time: Duration, _ condition: (RunningTool) -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + time
    while true {
      readAll()
      if condition(self) { return true }
      if hasEnded || ContinuousClock.now >= deadline {
        readAll()
        return condition(self)
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  private var hasEnded: Bool {
    if exitStatus == nil {
      var status: Int32 = 0
      if waitpid(identifier, &status, WNOHANG) == identifier { exitStatus = status }
    }
    return exitStatus != nil
  }

  private func readAll() {
    if readsOutput {
      outputCount += Self.read(output) { if keepsOutput { outputBytes += $0 } }
    }
    _ = Self.read(errors) { errorBytes += $0 }
  }

  /// - Returns: The number of bytes.
  private static func read(_ descriptor: Int32, _ body: (ArraySlice<UInt8>) -> Void) -> Int {
    guard descriptor >= 0 else { return 0 }
    var total = 0
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return total }
      body(buffer.prefix(count))
      total += count
    }
  }
}

/// The error of a test that has waited for too long.
struct Impatience: Error, CustomStringConvertible {
  let wish: String
  let output: String
  let errors: String

  var description: String {
    "\(wish) did not come. Output: \(output.debugDescription) Errors: \(errors.debugDescription)"
  }
}

/// Creates a pipe that no other process inherits.
func makePipe() throws -> (read: Int32, write: Int32) {
  var ends: [Int32] = [-1, -1]
  try #require(pipe(&ends) == 0)
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return (ends[0], ends[1])
}

private func makeTerminal(
  columns: UInt16,
  rows: UInt16
) throws -> (controller: Int32, device: Int32, name: String) {
  var controller: Int32 = -1
  var device: Int32 = -1
  var name = [CChar](repeating: 0, count: 256)
  var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
  try #require(openpty(&controller, &device, &name, nil, &size) == 0)
  for end in [controller, device] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return (controller, device, name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) })
}
