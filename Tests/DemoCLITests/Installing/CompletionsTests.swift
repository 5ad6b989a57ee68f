import Foundation
import Testing

/// The completions, in the shells themselves. The tests of bash's completions are in
/// ``InstallTests``.
@Suite struct CompletionsTests {
  private static func has(_ shell: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(shell)")
    }
  }

  /// A command line up to the cursor, and the only word that completes it.
  private static let lines: [(line: String, word: String)] = [
    ("wellspring qu", "query"),
    ("wellspring watch shop.sqlite item --cou", "--count"),
    ("wellspring query f t --format nd", "ndjson"),
    ("wellspring help exp", "explain"),
    ("wellspring watch shop.sq", "shop.sqlite"),
    ("wellspring shop.sq", "shop.sqlite"),
  ]

  /// Returns a file in a folder where a database is, and `bin/wellspring`.
  private func makeFolder() async throws -> TestFile {
    let file = try await TestFile()
    let folder = file.directory
    try Data().write(to: folder.appendingPathComponent("shop.sqlite"))
    let bin = folder.path + "/bin"
    try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: bin + "/wellspring",
      withDestinationPath: RunningTool.toolPath
    )
    return file
  }

  @Test(
    .enabled(if: has("fish"), "fish is not installed"),
    arguments: lines
  )
  func `fish completes commands, options, formats and files`(
    line: String,
    word: String
  ) async throws {
    let file = try await makeFolder()
    let script = """
      cd $argv[1]; set -x PATH $argv[1]/bin $PATH
      wellspring completions fish | source
      complete -C $argv[2]
      """
    let fish = try RunningTool(
      executable: "env",
      arguments: [
        "HOME=\(file.directory.path)", "fish", "--no-config", "-c", script, file.directory.path,
        line,
      ]
    )
    #expect(try await fish.exitCode() == 0, "\(fish.errorText)")
    let shown = fish.outputText.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
    #expect(shown == [Substring(word)])
  }

  @Test(
    .enabled(if: has("zsh"), "zsh is not installed"),
    arguments: lines
  )
  func `zsh completes commands, options, formats and files`(
    line: String,
    word: String
  ) async throws {
    let file = try await makeFolder()
    let folder = file.directory.path
    let functions = folder + "/functions"
    try FileManager.default.createDirectory(atPath: functions, withIntermediateDirectories: true)
    let script = try RunningTool("completions", "zsh")
    #expect(try await script.exitCode() == 0)
    try script.outputText.write(
      toFile: functions + "/_wellspring",
      atomically: true,
      encoding: .utf8
    )
    try """
    fpath=('\(functions)' $fpath)
    autoload -Uz compinit && compinit -u
    complete-line() { zle expand-or-complete; print -r -- "$BUFFER" > '\(folder)/line' }
    zle -N complete-line
    bindkey '^I' complete-line
    cd '\(folder)'
    PROMPT='ready> '
    """.write(toFile: folder + "/.zshrc", atomically: true, encoding: .utf8)
    let zsh = try RunningTool(
      executable: "env",
      arguments: [
        "ZDOTDIR=\(folder)", "TERM=xterm", "PATH=\(folder)/bin:/usr/bin:/bin", "zsh", "-i",
      ],
      output: .terminal(columns: 100, rows: 24)
    )
    try await zsh.wait("the prompt") { $0.outputText.contains("ready> ") }
    try zsh.type("\(line)\t")
    func completed() -> String? { try? String(contentsOfFile: folder + "/line", encoding: .utf8) }
    try await zsh.wait("the completion") { _ in completed()?.last == "\n" }
    let stem = line.split(separator: " ", omittingEmptySubsequences: false).dropLast()
    #expect(completed() == (stem + [Substring(word)]).joined(separator: " ") + " \n")
  }
}
