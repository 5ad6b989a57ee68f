import Foundation
import Testing

/// The recording of the terminal in the README is the output of the tool.
@Suite struct ReadmeRecordingTests {
  /// A command of the recording, and its output.
  private struct Entry {
    let command: String
    var output: [String] = []
  }

  /// Returns the commands in the blocks with the language `console`.
  private static func recording() throws -> [Entry] {
    let readme = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../README.md")
    var entries: [Entry] = []
    var isInside = false
    for line in try String(contentsOf: readme, encoding: .utf8).components(separatedBy: "\n") {
      if line.hasPrefix("```") {
        isInside = line == "```console"
      } else if isInside, line.hasPrefix("$ ") {
        entries.append(Entry(command: String(line.dropFirst(2))))
      } else if isInside {
        entries[entries.count - 1].output.append(line)
      }
    }
    return entries
  }

  /// Returns lines without times and numbers of commits, and without spaces at their ends.
  private func comparable(_ lines: [String]) -> [String] {
    lines.map { line in
      let text = line.replacing(/(\d{4}-\d\d-\d\dT)?\d\d:\d\d:\d\dZ?/, with: "TIME")
        .replacing(/value \d+/, with: "value N").replacing(/^@@ \d+/, with: "@@ N")
      return String(text.reversed().drop { $0.isWhitespace }.reversed())
    }
  }

  @Test func `the recording is what the tool prints today`() async throws {
    let entries = try Self.recording()
    try #require(entries.count == 7)
    let file = try await TestFile()
    // The commands of the recording run in the order in which a reader follows it.
    let shell = { (command: String, output: RunningTool.OutputKind) in
      try RunningTool(
        executable: "bash",
        arguments: [
          "-c",
          "cd \"$1\"; "
            + command.replacing("wellspring", with: "exec \"$2\"").replacing(" | cat", with: ""),
          "bash", file.directory.path, RunningTool.toolPath,
        ],
        output: output
      )
    }
    func run(_ entry: Entry) async throws {
      let tool = try shell(entry.command, .pipe)
      #expect(try await tool.exitCode() == 0, "\(tool.errorText)")
    }
    try await run(entries[0])
    try await run(entries[1])
    let screen = try shell(entries[2].command, .terminal(columns: 60, rows: 24))
    let pipe = try shell(entries[3].command, .pipe)
    try await expect(screen, entries[2], entries[2].output) { $0.lastFrame }
    try await expect(pipe, entries[3], entries[3].output) { Self.lines(of: $0) }
    try await run(entries[4])
    #expect(entries[5].command == entries[2].command)
    #expect(entries[6].command == entries[3].command)
    try await expect(screen, entries[5], entries[5].output) { $0.lastFrame }
    try await expect(pipe, entries[6], entries[3].output + entries[6].output) {
      Self.lines(of: $0)
    }
  }

  private static func lines(of tool: RunningTool) -> [String] {
    tool.outputText.split(separator: "\n").map(String.init)
  }

  /// Waits until a tool shows the lines of the recording.
  private func expect(
    _ tool: RunningTool,
    _ entry: Entry,
    _ lines: [String],
    shown: (RunningTool) -> [String]
  ) async throws {
    let expected = comparable(lines)
    _ = try await tool.comes(within: RunningTool.patience) { comparable(shown($0)) == expected }
    let actual = comparable(shown(tool))
    #expect(actual == expected, "\(entry.command)")
    // A recording that is changed in any line is not the output of the tool.
    for index in lines.indices {
      for change in [{ (line: String) in line + "." }, { $0.replacing("e", with: "") }] {
        var changed = lines
        changed[index] = change(lines[index])
        guard changed != lines else { continue }
        #expect(actual != comparable(changed), "\(changed[index])")
      }
      var shorter = lines
      shorter.remove(at: index)
      #expect(actual != comparable(shorter), "without \(lines[index])")
    }
  }
}
