import Foundation
import Testing
import TestSupport
import WellspringSystem

@Suite(.serialized, .patient)
struct FileEventsTests {
  /// Notes the events of a watch, and answers them all in one way.
  private final class Handler: Sendable {
    private let state: Lock<(origin: FileEvents.Origin, events: [FileEvents.Event])>

    init(_ origin: FileEvents.Origin) { state = Lock((origin, [])) }

    func note(_ event: FileEvents.Event) -> FileEvents.Origin {
      state.withLock { state in
        state.events.append(event)
        return state.origin
      }
    }

    /// Sets the answer to later events, and forgets those before.
    func answer(_ origin: FileEvents.Origin) { state.withLock { $0 = (origin, []) } }

    /// Returns the events since the last call.
    func takeEvents() -> [FileEvents.Event] {
      state.withLock { state in
        defer { state.events = [] }
        return state.events
      }
    }
  }

  private let directory = TemporaryDirectory()

  private func watch(_ handler: Handler) throws -> FileEvents.Watch {
    try #require(FileEvents.shared.watch(directory.path) { handler.note($0) })
  }

  private func write(_ name: String = "file") throws {
    let file = open(directory.file(name), O_CREAT | O_WRONLY, 0o600)
    try #require(file >= 0)
    defer { close(file) }
    #expect(Foundation.write(file, "x", 1) == 1)
  }

  /// Whether the kernel reports writes in the directory at a path; `nil` when it is not watched.
  private func reportsWrites(_ path: String) throws -> Bool? {
    let inode = try #require(FileStatus(path: path)?.identity.inode)
    let word = "ino:" + String(inode, radix: 16)
    let folder = "/proc/self/fdinfo"
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      // A descriptor may be closed meanwhile.
      let text = (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
      for line in text.split(separator: "\n") where line.hasPrefix("inotify ") {
        let words = line.split(separator: " ")
        guard words.contains(Substring(word)) else { continue }
        let mask = try #require(words.first { $0.hasPrefix("mask:") }).dropFirst(5)
        return try #require(UInt32(mask, radix: 16)) & UInt32(IN_MODIFY) != 0
      }
    }
    return nil
  }

  /// Writes until the kernel reports no writes. One event is not enough while other directories of
  /// the process have news.
  private func awaitSilence() async throws {
    try await eventually {
      try? write()
      return (try? reportsWrites(directory.path)) == false
    }
  }

  @Test func `while this process writes, writes are not reported, and then they are again`()
    async throws
  {
    let handler = Handler(.thisProcess)
    let watch = try watch(handler)
    #expect(try reportsWrites(directory.path) == true)
    try await awaitSilence()
    #expect(handler.takeEvents().first == .file("file"))
    // The handler is asked again and again. A new file is reported at once.
    for _ in 0..<3 { try await eventually { handler.takeEvents().contains(.unreportedWrites) } }
    try write("other")
    try await eventually { handler.takeEvents().contains(.file("other")) }
    // Another answer ends the silence.
    handler.answer(.irrelevant)
    try await eventually { handler.takeEvents().contains(.unreportedWrites) }
    #expect(try reportsWrites(directory.path) == true)
    try write()
    try await eventually { handler.takeEvents().contains(.file("file")) }
    #expect(try reportsWrites(directory.path) == true)
    withExtendedLifetime(watch) {}
  }

  @Test func `writes of unknown origin, and those in a directory of several owners, are reported`()
    async throws
  {
    let first = Handler(.unknown)
    let watch = try watch(first)
    func expectReports() async throws {
      // Each event is read after a pause, before which the reports could have ended.
      for _ in 0..<4 {
        try write()
        var events: [FileEvents.Event] = []
        try await eventually {
          events += first.takeEvents()
          return !events.isEmpty
        }
        #expect(Set(events) == [.file("file")])
      }
      #expect(try reportsWrites(directory.path) == true)
    }
    try await expectReports()
    let second = Handler(.thisProcess)
    let other = try self.watch(second)
    first.answer(.thisProcess)
    try await expectReports()
    #expect(second.takeEvents().contains(.file("file")))
    withExtendedLifetime((watch, other)) {}
  }

  @Test func `a directory that is moved while its writes are not reported is lost`() async throws {
    let handler = Handler(.thisProcess)
    let watch = try watch(handler)
    try await awaitSilence()
    _ = handler.takeEvents()
    let moved = directory.path + "-moved"
    try FileManager.default.moveItem(atPath: directory.path, toPath: moved)
    defer { try? FileManager.default.removeItem(atPath: moved) }
    try FileManager.default.createDirectory(
      atPath: directory.path,
      withIntermediateDirectories: false
    )
    try await eventually { handler.takeEvents().contains(.lost) }
    // The directory at the path is watched by nothing yet.
    handler.answer(.irrelevant)
    try await eventually { (try? reportsWrites(directory.path)) == .some(nil) }
    withExtendedLifetime(watch) {}
  }
}
