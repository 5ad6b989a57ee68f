import Foundation
import ReplicatedShop

/// A node in a process of its own, which reports lines of JSON.
struct NodeProcess {
  let process: Process
  private let input: Pipe

  /// Starts a node of this program.
  ///
  /// - Parameters:
  ///   - options: What the node is told.
  ///   - report: Gets what the node reports, on any thread, in order.
  ///   - didEnd: Is called at last, with what has ended the process.
  /// - Throws: What starting a process throws.
  init(
    _ options: Options.NodeOptions,
    report: @escaping @Sendable (ShopReport) -> Void,
    didEnd: @escaping @Sendable (_ reason: String) -> Void
  ) throws {
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [
      "node", "--supervised", "--name", options.name, "--file", options.file,
      "--endpoints", options.endpoints.joined(separator: ","), "--snapshots", options.snapshots,
    ]
    input = Pipe()
    process.standardInput = input
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let node = UncheckedBox(process)
    Thread.detachNewThread {
      var rest = Data()
      while true {
        let data = output.fileHandleForReading.availableData
        if data.isEmpty { break }
        rest += data
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          if let value = try? JSONDecoder().decode(ShopReport.self, from: rest[..<end]) {
            report(value)
          }
          rest = Data(rest[(end + 1)...])
        }
      }
      node.value.waitUntilExit()
      let code = node.value.terminationStatus
      didEnd(node.value.terminationReason == .exit ? "ended with \(code)" : "was killed")
    }
  }

  /// Tells the node to sell no more.
  func rest() { try? input.fileHandleForWriting.write(contentsOf: Data("rest\n".utf8)) }

  /// Ends the node in order.
  func end() { try? input.fileHandleForWriting.close() }

  /// Ends the node as a crash does.
  func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

  /// Returns a report as a line.
  static func encode(_ report: ShopReport) -> String {
    let data = try? JSONEncoder().encode(report)
    return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}

/// Hands a process to the thread that waits for it.
private struct UncheckedBox: @unchecked Sendable {
  let value: Process
  init(_ value: Process) { self.value = value }
}
