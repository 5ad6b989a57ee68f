import Foundation
import Testing

/// Starts the tests.
///
/// The package manager searches for a file of this name. Without it, it would search an index for
/// tests of XCTest. The index takes time to write, and there are no such tests.
@main enum EntryPoint {
  static func main() async {
    let arguments = CommandLine.arguments
    if arguments.contains("--dump-tests-json") {
      // `swift test --filter` asks for the tests of XCTest first.
      print(#"{"name": "All tests", "tests": []}"#)
      return
    }
    guard let option = arguments.firstIndex(of: "--testing-library"),
      arguments.dropFirst(option + 1).first == "swift-testing"
    else {
      // With a file like this one, `swift test` runs only the tests of XCTest unless it gets an
      // option.
      FileHandle.standardError.write(
        Data("Run Scripts/test.sh, or swift test --enable-swift-testing --disable-xctest.\n".utf8)
      )
      exit(1)
    }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
