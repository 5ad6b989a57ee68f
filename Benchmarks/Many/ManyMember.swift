internal import Dispatch
internal import Foundation
internal import Storage

/// A process of its own, which opens a file and writes to it on request. A line of its input is the
/// number of transactions, and a line of its output says that they are committed.
final class ManyMember {
  /// The first argument of the program that makes it a member.
  static let argument = "many-member"

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(path: String) throws {
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [Self.argument, path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  deinit {
    askToEnd()
    waitForEnd()
  }

  /// Lets the process end in order.
  func askToEnd() { try? input.fileHandleForWriting.close() }

  func waitForEnd() { process.waitUntilExit() }

  var id: Int32 { process.processIdentifier }

  /// Asks for so many transactions.
  func ask(_ count: Int) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(count)\n".utf8))
  }

  /// Waits for the answer: the longest transaction, in milliseconds.
  func answer() throws -> Double {
    var text = ""
    while !text.hasSuffix("\n") {
      guard let data = try output.fileHandleForReading.read(upToCount: 1), !data.isEmpty else {
        throw ManyCommand.Wrong("a process has ended: \(text)")
      }
      text += String(decoding: data, as: UTF8.self)
    }
    guard let longest = Double(text.dropLast()) else { throw ManyCommand.Wrong(text) }
    return longest
  }

  /// Kills the process.
  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  // MARK: In the process

  /// Runs the process of a member, until its input ends.
  static func run(path: String) -> Int32 {
    do {
      var configuration = Configuration()
      configuration.busyMode = .timeout(600)
      configuration.maximumReaderCount = 1
      let pool = try DatabasePool(path: path, configuration: configuration)
      say("0")
      while let line = readLine(), let count = Int(line) {
        var longest = Duration.zero
        for _ in 0..<count {
          let watch = Stopwatch()
          try pool.write { db in
            try db.execute(sql: "UPDATE counter SET value = value + 1 WHERE id = 1")
          }
          longest = max(longest, watch.duration)
        }
        say("\(longest / .milliseconds(1))")
      }
      try pool.close()
      return 0
    } catch {
      say("\(error)")
      return 1
    }
  }

  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}
