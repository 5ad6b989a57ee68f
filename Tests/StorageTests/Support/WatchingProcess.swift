import Foundation
import TestSupport

/// An observation in another process: `wellspring watch` prints each value as a line of JSON.
final class WatchingProcess: Sendable {

  private let process: ChildProcess
  private let queue = DispatchQueue(label: "DemoCLI")

  /// Runs a program without inotify watches, as the root of a user namespace of its own.
  static let withoutWatches = [
    "unshare", "--user", "--map-root-user", "sh", "-c",
    "echo 0 > /proc/sys/user/max_inotify_watches && exec \"$@\"", "sh",
  ]

  /// Watches the result of a query.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - sql: The query.
  ///   - prefix: A command that runs the command after it.
  /// - Throws: An error when the program cannot be started.
  init(_ path: String, sql: String, prefix: [String] = []) throws {
    let bundle = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let tool = bundle.deletingLastPathComponent().appendingPathComponent("wellspring").path
    process = try ChildProcess(prefix + [tool, "watch", path, "--sql", sql])
  }

  /// Waits for the next value, and returns its columns and rows as JSON; or an empty string when
  /// the program has ended.
  func next() async -> String {
    // The queue keeps the work item until its time. The program must not run on until then.
    let limit = DispatchWorkItem { [weak process] in process?.kill(SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + Patience.seconds, execute: limit)
    defer { limit.cancel() }
    let lines = await withCheckedContinuation { continuation in
      queue.async { [process] in continuation.resume(returning: process.read(until: "\n")) }
    }
    // Several lines may have arrived together. Each begins with the number of its snapshot.
    guard let line = lines.split(separator: "\n").last, let start = line.range(of: "\"columns\"")
    else { return lines }
    return String(line[start.lowerBound...])
  }
}
