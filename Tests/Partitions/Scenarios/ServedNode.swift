import Foundation
import WellspringSystem

/// A node in a process on a host, which runs commands.
final class ServedNode {
  let host: Host
  private let process: LabProcess
  private let lines: LineSocket
  private var last = 0
  private var answers: [Int: NodeAnswer] = [:]

  /// Starts the process. The node may still be opening then.
  init(_ server: NodeServer, on host: Host, output: String) throws {
    self.host = host
    let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
    let text = String(decoding: try JSONEncoder().encode(server), as: UTF8.self)
    let process = try LabProcess(
      [executable, NodeServer.argument, text],
      on: host,
      output: output
    )
    self.process = process
    lines = try waiting(for: "the process of \(host.name)") {
      guard process.isRunning else { throw LabError.command("the process of \(host.name) ended") }
      return try LineSocket.connected(to: server.socket)
    }
  }

  /// The number of the process.
  var number: pid_t { process.number }

  /// Ends the process as a crash does.
  func kill() { process.kill() }

  /// Lets the wall clock of the process step by an hour.
  func stepClock(forward: Bool) { process.signal(forward ? SIGUSR1 : SIGUSR2) }

  // MARK: Questions

  /// Sends a command, and returns its number.
  func send(_ command: NodeCommand) throws -> Int {
    last += 1
    let numbered = NumberedCommand(number: last, command: command)
    try lines.send(String(decoding: try JSONEncoder().encode(numbered), as: UTF8.self))
    return last
  }

  /// Waits for the answer to a command.
  func answer(to number: Int, limit: Duration = .seconds(60)) throws -> NodeAnswer {
    let deadline = MonotonicClock.now + UInt64(limit / .nanoseconds(1))
    while true {
      if let answer = answers.removeValue(forKey: number) { return answer }
      guard let line = try lines.next(until: deadline) else {
        throw LabError.command("the process of \(host.name) ended")
      }
      let answer = try JSONDecoder().decode(NodeAnswer.self, from: Data(line.utf8))
      answers[answer.number] = answer
    }
  }

  /// Sends a command, and waits for its answer.
  ///
  /// - Throws: ``LabError/command(_:)`` if the node says that it has failed.
  @discardableResult
  func ask(_ command: NodeCommand, limit: Duration = .seconds(60)) throws -> NodeAnswer {
    let answer = try answer(to: try send(command), limit: limit)
    if let error = answer.error { throw LabError.command("\(host.name): \(error)") }
    return answer
  }

  /// The status that the node reports.
  func status() throws -> NodeStatus {
    guard let status = try ask(.status).status else {
      throw LabError.command("\(host.name) has no status")
    }
    return status
  }

  /// The ids of all rows.
  func rows() throws -> [Int] { try ask(.rows).rows ?? [] }

  /// Writes rows. The node must acknowledge each of them.
  @discardableResult
  func write(_ order: WriteOrder) throws -> [WriteResult] {
    let results = try ask(.write(order), limit: .seconds(180)).writes ?? []
    if let failed = results.first(where: { $0.outcome != .acknowledged }) {
      throw LabError.command("\(host.name): write \(failed.id): \(failed.error ?? "")")
    }
    return results
  }

  /// Waits until the status is as it must be.
  @discardableResult
  func awaitStatus(
    _ what: String,
    limit: Duration = .seconds(30),
    _ isRight: (NodeStatus) -> Bool
  ) throws -> NodeStatus {
    var last: NodeStatus?
    do {
      return try waiting(for: what, limit: limit) {
        last = try status()
        return last.flatMap { isRight($0) ? $0 : nil }
      }
    } catch LabError.overdue {
      throw LabError.overdue("\(what) of \(host.name), which says \(last.map { "\($0)" } ?? "?"),")
    }
  }

  /// Waits until the node has some rows.
  func awaitRows(_ rows: [Int], limit: Duration = .seconds(30)) throws {
    try waiting(for: "rows of \(host.name)", limit: limit) { try self.rows() == rows ? () : nil }
  }
}
