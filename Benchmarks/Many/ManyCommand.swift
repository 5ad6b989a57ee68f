internal import CWellspringSQLite
internal import Foundation
internal import Storage

/// `Benchmarks many`: the costs of very many processes, rows, tables and so on.
///
/// The figures are of one run, for `Docs/Faults.md`; there is nothing to compare them with. A wrong
/// result is an error.
enum ManyCommand {
  static let usage = """
    usage: Benchmarks many [what …] [--scale N]
      what              \(trials.map(\.name).joined(separator: ", ")); all by default
      --scale N         takes the N-th part of the numbers: 1 by default
    """

  static let trials: [Trial] = [
    .processes, .observations, .readers, .sparse, .tables, .row, .transaction,
  ]

  /// Runs the command and returns its exit code: 1 when something is wrong, 2 for invalid
  /// arguments.
  static func run(arguments: [String]) -> Int32 {
    guard !arguments.contains("--help") else {
      print(usage)
      return 0
    }
    var rest = arguments
    var scale = 1
    if let option = rest.firstIndex(of: "--scale") {
      guard option + 1 < rest.count, let number = Int(rest[option + 1]), number > 0 else {
        return fail("--scale requires a number of at least 1")
      }
      scale = number
      rest.removeSubrange(option...option + 1)
    }
    let selected = rest.isEmpty ? trials : trials.filter { rest.contains($0.name) }
    guard rest.isEmpty || selected.count == Set(rest).count else { return fail("unknown trial") }
    print(
      "SQLite \(String(cString: sqlite3_libversion())), \(ProcessInfo.processInfo.activeProcessorCount) processors"
    )
    for trial in selected {
      do {
        let workspace = try Workspace()
        defer { workspace.remove() }
        Peak.reset()
        let watch = Stopwatch()
        var report = Report()
        try trial.run(workspace, scale, &report)
        report.add("all of it", watch.duration)
        report.add("largest memory of the process", "\(Peak.megabytes) MB")
        for line in report.lines { print("| \(trial.name) | \(line.what) | \(line.figure) |") }
        fflush(nil)
      } catch {
        return fail("\(trial.name): \(error)", code: 1)
      }
    }
    return 0
  }

  private static func fail(_ message: String, code: Int32 = 2) -> Int32 {
    FileHandle.standardError.write(Data("\(message)\n\(code == 2 ? usage + "\n" : "")".utf8))
    return code
  }

  /// A trial with very many objects of one kind.
  struct Trial: Sendable {
    let name: String
    let run: @Sendable (_ workspace: Workspace, _ scale: Int, _ report: inout Report) throws -> Void
  }

  /// The figures that a trial has measured.
  struct Report {
    private(set) var lines: [(what: String, figure: String)] = []

    mutating func add(_ what: String, _ figure: String) { lines.append((what, figure)) }

    mutating func add(_ what: String, _ duration: Duration) {
      let seconds = duration / .seconds(1)
      add(
        what,
        String(format: seconds < 1 ? "%.1f ms" : "%.2f s", seconds < 1 ? seconds * 1000 : seconds)
      )
    }

    /// Measures a closure.
    @discardableResult
    mutating func time<Result>(_ what: String, _ body: () throws -> Result) rethrows -> Result {
      let watch = Stopwatch()
      let result = try body()
      add(what, watch.duration)
      return result
    }
  }

  /// Thrown when a trial comes out wrong.
  struct Wrong: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  static func check(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    guard condition else { throw Wrong(message()) }
  }
}
