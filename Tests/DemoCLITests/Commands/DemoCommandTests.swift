import Foundation
import Glibc
import Testing

/// `demo`, in a process of its own.
@Suite struct DemoCommandTests {
  @Test("On a terminal the shop is drawn, and left on the screen with the cursor")
  func terminal() async throws {
    let tool = try RunningTool("demo", "--seconds", "1", output: .terminal(columns: 80, rows: 24))
    #expect(try await tool.exitCode() == 0)
    #expect(tool.outputText.contains("shop.sqlite · item"))
    #expect(tool.outputText.contains("Teapot"))
    #expect(tool.outputText.hasSuffix("\u{1B}[?25h"))
    #expect(tool.errorText.isEmpty)
  }

  @Test("In a pipe the shop is lines of JSON, and the other process changes it")
  func pipe() async throws {
    let tool = try RunningTool("demo")
    let first = try await tool.nextLine()
    #expect(first.contains(#""columns":["id","name","price","stock","sold"]"#))
    #expect(try await tool.nextLine() != first)
    tool.send(SIGTERM)
    #expect(try await tool.exitCode() == 0)
  }

  @Test("At the end neither the other process nor the directory is left")
  func cleansUp() async throws {
    let tool = try RunningTool("demo")
    _ = try await tool.nextLine()
    let writer = try #require(try tool.children().first)
    let directory = try Self.directory(ofWriter: writer)
    #expect(FileManager.default.fileExists(atPath: directory))
    tool.send(SIGINT)
    #expect(try await tool.exitCode() == 0)
    #expect(kill(writer, 0) != 0)
    #expect(!FileManager.default.fileExists(atPath: directory))
  }

  @Test("When the demo is killed, the other process ends by itself")
  func killed() async throws {
    let tool = try RunningTool("demo")
    _ = try await tool.nextLine()
    let writer = try #require(try tool.children().first)
    let directory = try Self.directory(ofWriter: writer)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    tool.send(SIGKILL)
    #expect(try await tool.exitCode() == 128 + SIGKILL)
    try await tool.wait("the end of the writer") { _ in Self.hasEnded(writer) }
  }

  /// The directory of the demo, which is in the arguments of its writer.
  private static func directory(ofWriter writer: pid_t) throws -> String {
    let data = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(writer)/cmdline"))
    let arguments = String(decoding: data, as: UTF8.self).split(separator: "\0")
    let path = try #require(arguments.last.map(String.init))
    try #require(path.hasSuffix("/shop.sqlite"))
    return String(path.dropLast("/shop.sqlite".count))
  }

  /// Whether a process is gone, or is only waiting for its parent to take note of its end.
  private static func hasEnded(_ process: pid_t) -> Bool {
    let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return status?.contains(") Z ") ?? true
  }
}
