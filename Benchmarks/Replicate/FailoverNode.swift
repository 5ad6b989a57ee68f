internal import Foundation
internal import Replication
internal import Storage

/// A node in a process of its own, which is the primary when it is ready. It writes a row for each
/// line of its input, and ends in order when its input ends.
final class FailoverNode {
  /// The first argument of the program that makes it a node.
  static let argument = "failover-node"
  static let database = "failovers"
  static let insertion = "INSERT INTO note DEFAULT VALUES"

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// Starts the process, and waits until it is the primary.
  init(path: String, endpoints: [String]) throws {
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [Self.argument, path] + endpoints
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try awaitAnswer()
  }

  /// Closes the node, and waits until its process has ended.
  func close() throws {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Ends the process as a crash does.
  func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Stops the process: its connections stay, and nothing comes from it.
  func stop() { Foundation.kill(process.processIdentifier, SIGSTOP) }

  /// Lets the node write a row, and waits until it has.
  func write() throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
    try awaitAnswer()
  }

  private func awaitAnswer() throws {
    guard try output.fileHandleForReading.read(upToCount: 1) == Data("\n".utf8) else {
      throw Overdue(what: "the answer of a node")
    }
  }

  // MARK: In the process

  /// Runs the process of a node, until its input ends.
  static func run(path: String, endpoints: [String]) -> Int32 {
    do {
      let node = try waiting {
        let log = try EtcdLog(endpoints: endpoints, database: database)
        let node = try await ReplicatedDatabase(path: path, log: log)
        try await node.write { try $0.execute(sql: "CREATE TABLE note (id INTEGER PRIMARY KEY)") }
        return node
      }
      say()
      while readLine() != nil {
        // A write whose outcome is unknown is not repeated: the next write shows when writes
        // continue.
        while (try? node.write { try $0.execute(sql: insertion) }) == nil { usleep(2_000) }
        say()
      }
      try node.close()
      return 0
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      return 1
    }
  }

  private static func say() { FileHandle.standardOutput.write(Data("\n".utf8)) }
}
