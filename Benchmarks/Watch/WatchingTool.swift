internal import Foundation
internal import Synchronization

/// The command-line tool on a pseudo-terminal, as a process of its own.
final class WatchingTool {
  private let process = Process()
  private let terminal: Int32
  /// The text that ``wait(for:)`` waits for, and when it came.
  private let awaited: Awaited

  private final class Awaited: Sendable {
    let state = Mutex<(text: [UInt8], instant: SuspendingClock.Instant?)>(([], nil))
    let arrived = DispatchSemaphore(value: 0)

    /// Searches the output of the tool for the text.
    func look(in bytes: ArraySlice<UInt8>) {
      let now = SuspendingClock.now
      let isFound = state.withLock { state in
        guard !state.text.isEmpty, bytes.firstRange(of: state.text) != nil else { return false }
        state = ([], now)
        return true
      }
      if isFound { arrived.signal() }
    }
  }

  /// The tool in the folder of the benchmarks.
  ///
  /// - Throws: ``Overdue`` when it was not built.
  static func executable() throws -> URL {
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let tool = own.deletingLastPathComponent().appendingPathComponent("wellspring")
    guard FileManager.default.isExecutableFile(atPath: tool.path) else {
      throw Overdue(what: "the tool: build it with `swift build -c release --product wellspring`")
    }
    return tool
  }

  /// Starts the tool, which must have been built into the folder of the benchmarks.
  init(arguments: [String]) throws {
    let tool = try Self.executable()
    var ends: (controller: Int32, device: Int32) = (-1, -1)
    var size = winsize(ws_row: 40, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&ends.controller, &ends.device, nil, nil, &size) == 0 else {
      throw Overdue(what: "a pseudo-terminal")
    }
    terminal = ends.controller
    let device = FileHandle(fileDescriptor: ends.device, closeOnDealloc: true)
    process.executableURL = tool
    process.arguments = arguments
    process.standardInput = device
    process.standardOutput = device
    let awaited = Awaited()
    self.awaited = awaited
    try process.run()
    try device.close()
    let controller = terminal
    Thread.detachNewThread {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(controller, &buffer, buffer.count)
        guard count > 0 else { return }
        awaited.look(in: buffer[..<count])
      }
    }
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
    close(terminal)
  }

  /// Sets the text that the next ``wait()`` waits for.
  func expect(_ text: String) {
    awaited.state.withLock { $0 = (Array(text.utf8), nil) }
  }

  /// Waits until the tool draws the expected text, and returns when it did.
  ///
  /// - Throws: ``Overdue`` after ten seconds.
  func wait() throws -> SuspendingClock.Instant {
    guard awaited.arrived.wait(timeout: .now() + 10) == .success,
      let instant = awaited.state.withLock({ $0.instant })
    else { throw Overdue(what: "a frame of the tool") }
    return instant
  }

  /// Waits until the tool has something behind it, and takes no processor time any more.
  func waitUntilIdle() throws {
    var last = Duration.zero
    for _ in 0..<100 {
      usleep(200_000)
      let now = processorTime
      if now > .zero, now == last { return }
      last = now
    }
    throw Overdue(what: "the tool to be idle")
  }

  /// Types a key.
  func press(_ key: Character) {
    let bytes = Array(key.utf8)
    _ = write(terminal, bytes, bytes.count)
  }

  /// The most memory that the tool has used at one time, in MB.
  var megabytes: Int { Peak.megabytes(of: process.processIdentifier) }

  /// The processor time that the tool has used.
  var processorTime: Duration {
    let path = "/proc/\(process.processIdentifier)/stat"
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
      return .zero
    }
    return .milliseconds((user + system) * 1_000 / sysconf(Int32(_SC_CLK_TCK)))
  }
}
