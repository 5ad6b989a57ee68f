import Foundation
import Glibc
import Testing

@testable import DemoCLI

/// `make install` and `make demo`, with the tool that the tests have built.
@Suite struct InstallTests {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  private func make(
    _ arguments: String...,
    output: RunningTool.OutputKind = .pipe
  ) throws -> RunningTool {
    try RunningTool(
      executable: "make",
      arguments: ["--no-print-directory", "-C", Self.root, "TOOL=\(RunningTool.toolPath)"]
        + arguments,
      output: output
    )
  }

  @Test func `the tool, its man page and its completions are installed under a prefix`()
    async throws
  {
    let file = try await TestFile()
    let prefix = file.directory.path + "/usr"
    for _ in 1...2 {
      let make = try make("install", "PREFIX=\(prefix)")
      #expect(try await make.exitCode() == 0, "\(make.errorText)")
    }
    let tool = try RunningTool(executable: prefix + "/bin/wellspring", arguments: ["--version"])
    #expect(try await tool.exitCode() == 0)
    for path in [
      "man/man1/wellspring.1", "bash-completion/completions/wellspring",
      "zsh/site-functions/_wellspring", "fish/vendor_completions.d/wellspring.fish",
    ] {
      let text = try String(contentsOfFile: "\(prefix)/share/\(path)", encoding: .utf8)
      for command in Tool.commands { #expect(text.contains(command.name), "\(path)") }
    }
  }

  @Test func `bash completes commands, options, formats and files`() async throws {
    let script = """
      source <("$1" completions bash)
      complete_words() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _wellspring; echo "${COMPREPLY[@]}"; }
      complete_words wellspring qu
      complete_words wellspring tail f t --s
      complete_words wellspring query f t --format ta
      complete_words wellspring help exp
      cd "$(dirname "$1")" && complete_words wellspring watch wellsprin
      complete_words wellspring wellsprin
      """
    let bash = try RunningTool(
      executable: "bash",
      arguments: ["-c", script, "bash", RunningTool.toolPath]
    )
    #expect(try await bash.exitCode() == 0, "\(bash.errorText)")
    let lines = bash.outputText.split(separator: "\n").map(String.init)
    #expect(lines.prefix(4) == ["query", "--since", "table", "explain"])
    for line in lines.suffix(2) { #expect(line.split(separator: " ").contains("wellspring")) }
  }

  @Test func `the manual page shows the help of each command as it is`() throws {
    let page = ManualPage.text(for: Tool.commands)
    #expect(page.hasPrefix(".TH WELLSPRING 1 \"\" \"wellspring \(Tool.version)\""))
    for command in Tool.commands {
      #expect(
        page.contains(".SS \(command.name)\n.nf\n.in 0\nUsage:\n  wellspring \(command.name)")
      )
    }
    // No line of a help starts a request.
    let requests = page.split(separator: "\n").filter { $0.hasPrefix(".") }
    #expect(requests.allSatisfy { $0.firstMatch(of: /^\.(TH|SH|SS|TP|B|br|in|nf|fi)\b/) != nil })
  }

  @Test func `Ctrl-C ends make demo without a complaint of make`() async throws {
    let make = try make("demo", output: .terminal(columns: 80, rows: 24))
    try await make.wait("the table") { $0.outputText.contains("Teapot") }
    try make.type("\u{3}")
    _ = try await make.exitCode()
    #expect(!make.outputText.contains("make:"), "\(make.outputText.suffix(300))")
    #expect(make.errorText.isEmpty)
  }
}
