import Foundation
import Glibc
import Testing

@testable import DemoCLI

/// The Debian package of the tool, with the tool that the tests have built.
@Suite struct PackageTests {
  private func run(_ command: String...) async throws -> String {
    let process = try RunningTool(executable: command[0], arguments: Array(command.dropFirst()))
    #expect(try await process.exitCode() == 0, "\(process.errorText)")
    return process.outputText
  }

  @Test func `the package and the tarball hold the tool, its man page and its completions`()
    async throws
  {
    let file = try await TestFile()
    let folder = file.directory.path
    let made = try await run(
      "env",
      "LEVEL=0",
      "sh",
      InstallTests.root + "/Scripts/deb.sh",
      RunningTool.toolPath,
      folder
    )
    let paths = made.split(separator: "\n").map { $0.split(separator: " ")[1] }.map(String.init)
    try #require(paths.map { $0.hasSuffix(".deb") } == [true, false])
    let fields = try await run("dpkg-deb", "--field", paths[0])
    #expect(fields.contains("Package: wellspring\nVersion: \(Tool.version)\n"))
    #expect(fields.contains("\nDepends: libc6 (>= 2.36), libgcc-s1, libsqlite3-0, libstdc++6\n"))
    _ = try await run("dpkg-deb", "--extract", paths[0], folder + "/root")
    _ = try await run("mkdir", folder + "/other")
    _ = try await run("tar", "-C", folder + "/other", "-xJf", paths[1])
    for root in [folder + "/root", folder + "/other"] {
      let version = try await run(root + "/usr/bin/wellspring", "--version")
      #expect(version.hasPrefix("wellspring \(Tool.version) "))
      for path in [
        "man/man1/wellspring.1.gz", "bash-completion/completions/wellspring",
        "zsh/vendor-completions/_wellspring", "fish/vendor_completions.d/wellspring.fish",
        "doc/wellspring/copyright",
      ] {
        #expect(FileManager.default.fileExists(atPath: "\(root)/usr/share/\(path)"), "\(path)")
      }
    }
  }
}
