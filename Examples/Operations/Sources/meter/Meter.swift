import Dispatch
import Foundation
import Operations
import Storage

/// Runs until it receives SIGTERM, or for as many seconds as its argument says.
///
/// The database is in the directory that `STATE_DIRECTORY` names, as systemd does for a unit with
/// `StateDirectory=`. Otherwise, it is a new one in the directory for temporary files.
@main struct Meter {
  static func main() async throws {
    let directory = ProcessInfo.processInfo.environment["STATE_DIRECTORY"].map {
      URL(fileURLWithPath: $0)
    }
    let file =
      directory?.appending(path: "meters.sqlite")
      ?? FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite")
    let counters = ActivityCounters()
    let service = try MeterService(
      path: file.path,
      instruments: [
        ActivityLog { level, line in
          print("[\(level)] \(line)")
          // A pipe is buffered: the line is to be in the journal now.
          fflush(nil)
        },
        counters,
        ActivityTrace { span in
          print("[trace] \(span.name): \(span.end - span.start)")
        },
      ]
    )
    async let following: Void = service.followCount { _ in }
    let storing = Task {
      do {
        while true {
          try await service.store(.random(in: 0..<100), of: "kitchen")
          try await Task.sleep(for: .milliseconds(20))
        }
      } catch let error as DatabaseError where error.isDatabaseClosed {
        // The service shuts down.
      }
    }
    await untilStopped(after: CommandLine.arguments.dropFirst().first.flatMap { Double($0) })
    print("health: \(await service.answerHealthCheck())")
    try await service.shutDown(within: .seconds(10))
    try await storing.value
    try await following
    print(counters.text)
  }

  /// Waits for SIGTERM, or for a number of seconds.
  private static func untilStopped(after seconds: Double?) async {
    signal(SIGTERM, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGTERM)
    let (stops, continuation) = AsyncStream.makeStream(of: Void.self)
    source.setEventHandler { continuation.yield() }
    source.resume()
    if let seconds {
      DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { continuation.yield() }
    }
    for await _ in stops { break }
    source.cancel()
  }
}
