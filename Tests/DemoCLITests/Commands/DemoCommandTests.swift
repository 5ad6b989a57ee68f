import CommandLineSupport
import Foundation
import Glibc
import Testing

@testable import DemoCLI

/// The arguments of `demo`, and `demo` in a separate process.
@Suite struct DemoCommandTests {
  private func demo(_ arguments: String...) throws -> DemoCommand {
    try DemoCommand(ParsedArguments(arguments, syntax: DemoCommand.syntax))
  }

  @Test func `demo accepts a positive number of seconds, or no number`() throws {
    #expect(try demo().duration == nil)
    #expect(try demo("--seconds", "1.5").duration == 1.5)
  }

  @Test(arguments: ["0", "-1", "soon", "nan", "inf", "1e99", ""])
  func `demo rejects anything but a positive number of seconds`(text: String) {
    #expect(throws: UsageError("--seconds needs a positive number, not \(text)")) {
      try demo("--seconds", text)
    }
  }

  @Test func `on a terminal, the shop is drawn and stays on the screen, with the cursor shown`()
    async throws
  {
    let tool = try RunningTool("demo", "--seconds", "1", output: .terminal(columns: 80, rows: 24))
    #expect(try await tool.exitCode() == 0)
    #expect(tool.outputText.contains("shop.sqlite · item"))
    #expect(tool.outputText.contains("Teapot"))
    #expect(tool.outputText.hasSuffix("\u{1B}[?25h"))
    #expect(tool.errorText.isEmpty)
  }

  @Test func `in a pipe, each change by the other process is a line of JSON`() async throws {
    let tool = try RunningTool("demo")
    let first = try await tool.nextLine()
    #expect(first.contains(#""columns":["id","name","price","stock","sold"]"#))
    #expect(try await tool.nextLine() != first)
    tool.send(SIGTERM)
    #expect(try await tool.exitCode() == 0)
  }

  @Test func `the end of the demo ends the other process and removes the directory`() async throws {
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

  @Test func `when the demo is killed, the other process ends`() async throws {
    let tool = try RunningTool("demo")
    _ = try await tool.nextLine()
    let writer = try #require(try tool.children().first)
    let directory = try Self.directory(ofWriter: writer)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    tool.send(SIGKILL)
    #expect(try await tool.exitCode() == 128 + SIGKILL)
    try await tool.wait("the end of the writer") { _ in Self.hasEnded(writer) }
  }

  /// Returns the directory of the demo, which is part of its writer's arguments.
  private static func directory(ofWriter writer: pid_t) throws -> String {
    let data = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(writer)/cmdline"))
    let arguments = String(decoding: data, as: UTF8.self).split(separator: "\0")
    let path = try #require(arguments.last.map(String.init))
    try #require(path.hasSuffix("/shop.sqlite"))
    return String(path.dropLast("/shop.sqlite".count))
  }

  /// Returns whether a process no longer exists or is a zombie.
  private static func hasEnded(_ process: pid_t) -> Bool {
    let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return status?.contains(") Z ") ?? true
  }
}
