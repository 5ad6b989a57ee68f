import Foundation
import Sharing
import Testing

@testable import LiveBoard

@Suite struct BoardFeedTests {
  private let database: BoardDatabase
  private let feed: BoardFeed

  init() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite").path
    database = try BoardDatabase(path: file)
    try await database.pool.write { db in
      for number in 1...20 {
        try db.execute(literal: "INSERT INTO item (title) VALUES (\("Idea number \(number)"))")
      }
    }
    feed = try await BoardFeed(database.pool)
  }

  /// The bytes that are pending, after there are some.
  private func take(_ stream: EventStream) async -> String {
    var text = ""
    while true {
      var buffer = [UInt8](repeating: 0, count: 64 * 1024)
      let chunk = buffer.withUnsafeMutableBytes { bytes in
        stream.read(into: bytes, suspend: {}, resume: {})
      }
      guard case .bytes(let count) = chunk else {
        if text.contains("\ndata: ") || chunk == .end { return text }
        await Task.yield()
        continue
      }
      text += String(decoding: buffer.prefix(count), as: UTF8.self)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `A stream begins with the whole state, and goes on with patches`() async throws {
    let stream = feed.makeStream()
    let first = await take(stream)
    #expect(first.hasPrefix("retry: 500\n\nevent: state\n"))
    #expect(first.contains("Idea number 20"))
    try await database.vote(by: 1, for: 7)
    let second = await take(stream)
    #expect(second.hasPrefix("event: patch\n"))
    #expect(!second.contains("Idea number 20"))
    stream.close()
  }

  @Test(.timeLimit(.minutes(1)))
  func `A client that was behind gets the whole state`() async throws {
    let stream = EventStream(limit: 1)
    let task = Task { await feed.send(to: stream) }
    // The first event and the whole state do not fit together.
    #expect(await take(stream).hasPrefix("retry: 500\n\nevent: state\n"))
    try await database.vote(by: 1, for: 7)
    try await database.vote(by: 1, for: 8)
    let text = await take(stream)
    #expect(text.contains("\"votes\":1"))
    stream.close()
    task.cancel()
    await task.value
  }

  @Test(.timeLimit(.minutes(1)))
  func `A stream ends when the database is closed`() async throws {
    let stream = feed.makeStream()
    _ = await take(stream)
    try await database.pool.shutDown(within: .seconds(5))
    #expect(await take(stream) == "")
    stream.close()
  }

  @Test(.timeLimit(.minutes(1)))
  func `A thousand loops cost little memory and no thread`() async throws {
    let before = try status()
    let streams = (0..<1000).map { _ in feed.makeStream() }
    for stream in streams { _ = await take(stream) }
    let after = try status()
    print("\((after.memory - before.memory) / 1000) KiB a loop")
    #expect(after.memory - before.memory < 32 * 1000)
    #expect(after.threads - before.threads < 16)
    for stream in streams { stream.close() }
  }

  /// The memory in KiB, and the threads of this process.
  private func status() throws -> (memory: Int, threads: Int) {
    let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    func number(_ key: String) -> Int {
      let line = text.split(separator: "\n").first { $0.hasPrefix("\(key):") } ?? ""
      return Int(line.filter(\.isNumber)) ?? 0
    }
    return (number("VmRSS"), number("Threads"))
  }
}
