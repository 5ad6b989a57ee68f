import Foundation
import Glibc
import Testing

/// `make demo` without a built tool, with a `swift` that only pretends to build.
@Suite struct MakeTests {
  /// A folder of commands that precede the real commands, and a package without sources.
  private struct Stage {
    let file: TestFile
    var folder: String { file.directory.path }

    /// Creates the folder.
    ///
    /// - Parameter build: The shell commands that replace `swift build`.
    /// - Throws: An error of the file system.
    init(build: String) async throws {
      file = try await TestFile()
      for name in ["Scripts", "bin", "out"] {
        try FileManager.default.createDirectory(
          atPath: "\(folder)/\(name)",
          withIntermediateDirectories: true
        )
      }
      for name in ["Makefile", "Scripts/install.sh"] {
        try FileManager.default.copyItem(
          atPath: "\(InstallTests.root)/\(name)",
          toPath: "\(folder)/\(name)"
        )
      }
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/out/wellspring",
        withDestinationPath: RunningTool.toolPath
      )
      try await write(
        "swift",
        "case \"$*\" in *--show-bin-path*) echo '\(folder)/out' ;; *) \(build) ;; esac"
      )
      try await write("dpkg-query", "printf installed")
    }

    /// Writes a command, in another process. This process could hold the file open in a child that
    /// it starts meanwhile, and an open file cannot be run.
    private func write(_ name: String, _ script: String) async throws {
      let path = "\(folder)/\(name).sh"
      try "#!/bin/sh\n\(script)\n".write(toFile: path, atomically: true, encoding: .utf8)
      let install = try RunningTool(
        executable: "install",
        arguments: ["-m", "755", path, "\(folder)/bin/\(name)"]
      )
      #expect(try await install.exitCode() == 0)
    }

    /// Starts `make demo`.
    func make() throws -> RunningTool {
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      return try RunningTool(
        executable: "env",
        arguments: ["PATH=\(folder)/bin:\(path)", "make", "-C", folder, "demo"],
        output: .terminal(columns: 80, rows: 24)
      )
    }
  }

  @Test func `make demo says that it compiles, while it does`() async throws {
    // The build does not end before the test has seen the message.
    let stage = try await Stage(
      build: "echo '[1/9] Compiling'; until [ -e gate ]; do sleep 0.01; done; exit 7"
    )
    let make = try stage.make()
    try await make.wait("the message") { $0.outputText.contains("Compiling the tool.") }
    try await make.wait("the progress of swift") { $0.outputText.contains("[1/9] Compiling") }
    #expect(FileManager.default.createFile(atPath: stage.folder + "/gate", contents: nil))
    // A build that fails is not followed by a demo.
    #expect(try await make.exitCode() != 0)
    #expect(!make.outputText.contains("Teapot"))
  }

  @Test func `make demo shows the shop once the tool is built`() async throws {
    let stage = try await Stage(build: "echo '[9/9] Linking'")
    let make = try stage.make()
    try await make.wait("the table") { $0.lastFrame.contains { $0.contains("Teapot") } }
    #expect(make.outputText.contains("Compiling the tool."))
    try make.type("\u{3}")
    #expect(try await make.exitCode() == 128 + SIGINT)
    #expect(!make.outputText.contains("***"))
  }

  @Test func `Ctrl-C ends the build without a complaint of make`() async throws {
    let stage = try await Stage(build: "echo '[1/9] Compiling'; exec sleep 60")
    let make = try stage.make()
    try await make.wait("the build") { $0.outputText.contains("[1/9]") }
    try make.type("\u{3}")
    #expect(try await make.exitCode() == 128 + SIGINT)
    #expect(!make.outputText.contains("***"), "\(make.outputText)")
    #expect(!make.outputText.contains("Teapot"))
    #expect(make.errorText.isEmpty)
  }
}
