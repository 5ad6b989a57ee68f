import Foundation
import Synchronization
import Testing

@testable import Storage

/// When a file is looked at for commits of others.
@Suite(.timeLimit(.minutes(1))) struct ExternalChangeMonitorTests {
  /// Tells what it is asked to do, and finds what it is told to find.
  private final class Probe: ExternalChangeProbe {
    enum Call: Equatable, Sendable {
      case look
      /// A look that finds something.
      case find
      case rest
    }

    let calls = Recorder<Call>()
    let next = Mutex(ExternalChange.none)

    func adopt() {}

    func check(completion: @escaping @Sendable (ExternalChange) -> Void) {
      let found = next.withLock { next in
        defer { next = .none }
        return next
      }
      calls.append(found == .none ? .look : .find)
      completion(found)
    }

    var attachedFiles: [String] { [] }
    func rest() { calls.append(.rest) }
    func fileWasReplaced() {}
  }

  // An fsync makes the time long between what the file system shows and what can be read.
  @Test func `P1: what is found without an event is looked for again before the probe rests`()
    async throws
  {
    let directory = TemporaryDirectory()
    try Data().write(to: URL(fileURLWithPath: directory.file()))
    let probe = Probe()
    let monitor = ExternalChangeMonitor(path: directory.file(), probe: probe) { 0 }
    let changes = Recorder<Void>()
    monitor.setHandlers(
      didChange: { changes.append(()) },
      didTick: {},
      isNeeded: { true }
    )
    monitor.resumeAndWait()
    defer { monitor.stop() }
    // The looks of the beginning end with a rest, and so does each look without an event that finds nothing.
    var last: [Probe.Call] = []
    while last.suffix(3) != [.rest, .look, .rest] { last.append(try await probe.calls.nextValue()) }
    probe.next.withLock { $0 = .some }
    while try await probe.calls.nextValue() != .find {}
    _ = try await changes.nextValue()
    #expect(try await probe.calls.nextValue() == .look)
    #expect(try await probe.calls.nextValue() == .rest)
  }
}
