import Testing

/// Starts the tests.
///
/// The package manager looks for a file of this name. Without it, it would look for tests of XCTest
/// in an index, which takes time to write; there are none.
@main enum EntryPoint {
  static func main() async {
    // `swift test` starts the program once for each library.
    let arguments = CommandLine.arguments
    let library = arguments.firstIndex(of: "--testing-library").map { arguments[$0 + 1] }
    if let library, library != "swift-testing" { return }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
