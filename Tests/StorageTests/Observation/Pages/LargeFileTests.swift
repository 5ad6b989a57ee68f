import Foundation
import Storage
import TestSupport
import Testing
import WellspringSystem

@testable import StorageTestSupport

/// The reads and the memory for large files.
@Suite(.patient) struct LargeFileTests {
  /// A file of ten gigabytes that is made by hand. Two leaves of its table have content: the first
  /// leaf, which gives the height of the tree, and a leaf with rows. All other leaves are holes:
  /// these are not pages of a table, and a reader of a hole fails.
  private struct HoleyFile {
    let directory = TemporaryDirectory()
    var path: String { directory.file() }

    private static let pageSize = 65_536
    private static let leavesOfPage = 5000
    private static let interiorPages = 32
    static let leafCount = leavesOfPage * interiorPages
    private static let rowsOfLeaf = 100
    /// The leaf with rows.
    private static let leaf = 123_456
    /// Rows that are there, which are in that leaf.
    static let rows = [leaf * rowsOfLeaf + 5, leaf * rowsOfLeaf + 6]

    init() throws {
      try SQLiteShell.run(
        path,
        """
        PRAGMA page_size = \(Self.pageSize); CREATE TABLE big (id INTEGER PRIMARY KEY, v TEXT);
        CREATE TABLE other (n INTEGER); INSERT INTO other VALUES (1);
        """
      )
      let root = try SQLiteShell.run(path, "SELECT rootpage FROM sqlite_schema WHERE name = 'big'")
      let firstInterior = 4
      let firstLeaf = firstInterior + Self.interiorPages
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
      defer { try? file.close() }
      func write(_ bytes: [UInt8], toPage number: Int) throws {
        try file.seek(toOffset: UInt64((number - 1) * Self.pageSize))
        try file.write(contentsOf: Data(bytes))
      }
      let leavesOfPage = Self.leavesOfPage
      let lastRows = (1...Self.interiorPages).map { $0 * leavesOfPage * Self.rowsOfLeaf }
      try write(
        Self.interior(
          (0..<Self.interiorPages).map { (firstInterior + $0, lastRows[$0]) }
        ),
        toPage: #require(Int(root))
      )
      for page in 0..<Self.interiorPages {
        let leaves = (page * leavesOfPage..<(page + 1) * leavesOfPage)
        try write(
          Self.interior(leaves.map { (firstLeaf + $0, ($0 + 1) * Self.rowsOfLeaf) }),
          toPage: firstInterior + page
        )
      }
      try write(Self.leaf([]), toPage: firstLeaf)
      try write(Self.leaf(Self.rows), toPage: firstLeaf + Self.leaf)
      // The size of the file, and that in its header.
      let count = firstLeaf - 1 + Self.leafCount
      try file.truncate(atOffset: UInt64(count * Self.pageSize))
      try file.seek(toOffset: 28)
      try file.write(contentsOf: Data(Self.bytes(of: count, 4)))
      // The file uses a log.
      try file.seek(toOffset: 18)
      try file.write(contentsOf: Data([2, 2]))
    }

    private static func bytes(of number: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
    }

    private static func varint(_ number: Int) -> [UInt8] {
      var bytes = [UInt8(number & 0x7f)]
      var rest = number >> 7
      while rest > 0 {
        bytes.insert(UInt8(rest & 0x7f | 0x80), at: 0)
        rest >>= 7
      }
      return bytes
    }

    private static func interior(_ children: [(page: Int, last: Int)]) -> [UInt8] {
      let right = children[children.count - 1].page
      let cells = children.dropLast().map { bytes(of: $0.page, 4) + varint($0.last) }
      return page(5, cells, right: bytes(of: right, 4))
    }

    private static func leaf(_ rows: [Int]) -> [UInt8] {
      // A record of two columns: NULL, for the row id, and a text of one byte.
      page(13, rows.map { [4] + varint($0) + [3, 0, 15, 0x61] }, right: [])
    }

    private static func page(_ kind: UInt8, _ cells: [[UInt8]], right: [UInt8]) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: pageSize)
      var end = pageSize
      let header = 8 + right.count
      for (index, cell) in cells.enumerated() {
        end -= cell.count
        bytes.replaceSubrange(end..<end + cell.count, with: cell)
        bytes.replaceSubrange(
          header + 2 * index..<header + 2 * index + 2,
          with: Self.bytes(of: end, 2)
        )
      }
      bytes[0] = kind
      bytes.replaceSubrange(3..<5, with: Self.bytes(of: cells.count, 2))
      bytes.replaceSubrange(5..<7, with: Self.bytes(of: end & 0xffff, 2))
      bytes.replaceSubrange(8..<header, with: right)
      return bytes
    }
  }

  /// How many bytes this process has read.
  private func readBytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/io", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("rchar:") })
    return try #require(Int(line.dropFirst("rchar: ".count)))
  }

  @Test(arguments: [true, false])
  func `of a file of ten gigabytes, the interior pages are read`(isWatched: Bool) async throws {
    let file = try HoleyFile()
    var configuration = Configuration()
    configuration.readonly = isWatched
    let shell = try ChildProcess(["sqlite3", "-batch", file.path])
    func run(_ sql: String) {
      shell.write("\(sql);\nSELECT 'done';\n")
      _ = shell.read(until: "done\n")
    }
    run("INSERT INTO other VALUES (2)")
    let before = try readBytes()
    let pool = try DatabasePool(path: file.path, configuration: configuration)
    let seen = Lock([Int: [String]]())
    let observations = HoleyFile.rows.map { row in
      let request = SQLRequest<String>(sql: "SELECT v FROM big WHERE id = ?", arguments: [row])
      return ValueObservation.tracking(AllElements(request))
        .start(in: pool, onError: { Issue.record($0) }) { values in
          seen.withLock { $0[row] = values }
        }
    }
    try await pool.quiesce()
    let refetches = pool.observationStatistics.runs
    for value in ["b", "c"] {
      run("UPDATE big SET v = '\(value)' WHERE id = \(HoleyFile.rows[0])")
      try await pool.quiesce()
    }
    run("INSERT INTO other VALUES (3)")
    try await pool.quiesce()
    #expect(seen.withLock { $0 } == [HoleyFile.rows[0]: ["c"], HoleyFile.rows[1]: ["a"]])
    let statistics = pool.observationStatistics
    #expect(statistics.unreadForeignCommits == [:])
    #expect(statistics.runs - refetches == 2)
    #expect(statistics.pageMemory <= 16 * HoleyFile.leafCount, "\(statistics)")
    #expect(statistics.pageMemory >= 8 * HoleyFile.leafCount)
    // There are 33 interior pages, each of 64 KiB; connections read some of them, too.
    #expect(try readBytes() - before < 200 * 65_536)
    for observation in observations { observation.cancel() }
    shell.endInput()
    shell.wait()
  }

  @Test func `nothing is kept of the pages of tables that are not observed`() async throws {
    let directory = TemporaryDirectory()
    try SQLiteShell.run(
      directory.file(),
      """
      PRAGMA page_size = 512; PRAGMA journal_mode = WAL;
      CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO item SELECT i, 'name ' || i FROM n
      """
    )
    let pages = try #require(Int(try SQLiteShell.run(directory.file(), "PRAGMA page_count")))
    let pool = try DatabasePool(path: directory.file())
    let observation = ValueObservation.tracking { db in
      try String.fetchOne(db, sql: "SELECT name FROM item WHERE id = 5")
    }.start(in: pool, onError: { Issue.record($0) }, onChange: { _ in })
    try await pool.quiesce()
    #expect(pool.observationStatistics.pageMemory == 0)
    try SQLiteShell.run(directory.file(), "UPDATE item SET name = 'x' WHERE id = 7")
    try await pool.quiesce()
    #expect(pool.observationStatistics.unreadForeignCommits == [:])
    let memory = pool.observationStatistics.pageMemory
    #expect(memory > 0 && memory <= 16 * pages, "\(memory) bytes for \(pages) pages")
    observation.cancel()
    try await eventually { pool.observationStatistics.pageMemory == 0 }
  }
}
