import CommandLineSupport
import Foundation
import Glibc
import Storage
import Testing

@testable import DemoCLI

/// What `tail` shows when the table has gone since a commit was noticed.
@Suite struct TailDisplayTests {
  private static let schema = "CREATE TABLE log (id INTEGER PRIMARY KEY, level)"

  private static func insert(_ ids: ClosedRange<Int>) -> String {
    "INSERT INTO log VALUES \(ids.map { "(\($0), 1)" }.joined(separator: ", "))"
  }

  /// A display of the table `log`, with the texts that it has written and reported.
  private final class Tail {
    private let descriptor: Int32
    private let output: String
    private let pool: DatabasePool
    private var display: TailDisplay?
    private(set) var reports: [String] = []

    init(_ test: TestFile, condition: String? = nil) throws {
      output = test.directory.appendingPathComponent("output").path
      descriptor = open(output, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
      let file = WatchedFile(path: test.path)
      pool = try file.open()
      var table = WatchedTable(name: "log")
      table.options.condition = condition
      display = TailDisplay(
        file: file,
        reader: TailReader(table: table, pool: pool, since: 0),
        format: .ndjson,
        limit: nil,
        output: Output(descriptor: descriptor)
      ) { [unowned self] in reports.append($0) }
    }

    deinit { Glibc.close(descriptor) }

    /// Shows a value, and returns the ids of the rows that are written then.
    func show() throws -> [Int] {
      let former = try Data(contentsOf: URL(fileURLWithPath: output)).count
      try display?.show(WatchedValue(number: 1, result: result(["max(rowid)"], [])))
      let written = try Data(contentsOf: URL(fileURLWithPath: output)).dropFirst(former)
      return String(decoding: written, as: UTF8.self).matches(of: /"id":(\d+)/)
        .compactMap { Int($0.1) }
    }

    func show(problem: String) throws { try display?.show(problem: problem) }

    func close() throws { try pool.close() }
  }

  /// The new table ends before the former one, where it ended, or after it.
  @Test(arguments: [2, 3, 4])
  func `a table is awaited, and printed from its first row on`(count: Int) async throws {
    let file = try await TestFile("\(Self.schema); \(Self.insert(1...3))")
    let tail = try Tail(file)
    #expect(try tail.show() == [1, 2, 3])
    try await file.execute("DROP TABLE log")
    for _ in 0..<2 { #expect(try tail.show() == []) }
    // The observation has the same problem.
    let problem = "\(file.path): no such table: log"
    try tail.show(problem: problem)
    #expect(tail.reports == [problem])
    try await file.execute("\(Self.schema); \(Self.insert(1...count))")
    #expect(try tail.show() == Array(1...count))
    let message = "log was made again: its rows are printed from the first one on"
    #expect(tail.reports == [problem, message])
    try tail.close()
  }

  @Test func `another error ends the tail`() async throws {
    let file = try await TestFile("\(Self.schema); \(Self.insert(1...3))")
    let tail = try Tail(file, condition: "json(level) > 0")
    #expect(try tail.show() == [1, 2, 3])
    try await file.execute("INSERT INTO log VALUES (4, '[')")
    #expect(throws: DatabaseError.self) { _ = try tail.show() }
    #expect(tail.reports == [])
    try tail.close()
  }
}
