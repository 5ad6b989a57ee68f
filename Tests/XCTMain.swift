import Testing

/// Starts the tests.
///
/// The package manager looks for a file of this name. Without it, it would look for tests of XCTest
/// in an index, which takes time to write; there are none.
@main enum EntryPoint {
  static func main() async {
    let arguments = CommandLine.arguments
    if arguments.contains("--dump-tests-json") {
      // `swift test --filter` asks for the tests of XCTest first.
      print(#"{"name": "All tests", "tests": []}"#)
      return
    }
    // `swift test` starts the program once for each library, and does not name XCTest.
    guard let option = arguments.firstIndex(of: "--testing-library"),
      arguments.dropFirst(option + 1).first == "swift-testing"
    else { return }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
