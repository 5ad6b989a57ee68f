import Foundation
import Testing
import WellspringPlatform

@Suite struct FilePathTests {
  @Test(
    arguments: [
      ("/a/b.sqlite", "/a", "b.sqlite"), ("/b", "/", "b"), ("b", ".", "b"), ("a/b", "a", "b"),
      ("a/", "a", ""),
    ]
  )
  func `a path splits into its directory and its name`(
    path: String,
    directory: String,
    name: String
  ) {
    #expect(FilePath.split(path) == (directory, name))
  }

  @Test func `characters with a meaning in URIs are encoded`() {
    #expect(FilePath.uriEncoded("/50% off?#1 é") == "/50%25 off%3f%231 é")
  }

  @Test func `symbolic links are resolved, also those of the directory of a missing file`() throws {
    let manager = FileManager.default
    let base = FilePath.resolved(manager.temporaryDirectory.path) + "/\(UUID().uuidString)"
    try manager.createDirectory(atPath: base + "/real", withIntermediateDirectories: true)
    defer { try? manager.removeItem(atPath: base) }
    try manager.createSymbolicLink(atPath: base + "/link", withDestinationPath: "real")
    #expect(manager.createFile(atPath: base + "/real/file", contents: nil))
    #expect(FilePath.resolved(base + "/link/file") == base + "/real/file")
    #expect(FilePath.resolved(base + "/link/missing") == base + "/real/missing")
    #expect(FilePath.resolved(base + "/missing/file") == base + "/missing/file")
  }
}
