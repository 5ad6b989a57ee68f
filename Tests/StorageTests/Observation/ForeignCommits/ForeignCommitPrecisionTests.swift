import Storage
import StorageTestSupport
import TestSupport
import Testing
import WellspringSystem

/// Which queries a commit of another process runs, in a file that this process writes, or only
/// watches.
@Suite(.patient) struct ForeignCommitPrecisionTests {
  /// A shell that keeps a file with a log open.
  private final class Shell {
    private let process: ChildProcess
    private var count = 0

    init(_ path: String) throws {
      process = try ChildProcess(["sqlite3", "-batch", path])
      run(
        """
        PRAGMA journal_mode = WAL;
        CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, kind INTEGER);
        CREATE TABLE other (n INTEGER);
        CREATE TABLE pair (a, b, PRIMARY KEY (a, b)) WITHOUT ROWID;
        CREATE TABLE keyed (id INTEGER PRIMARY KEY UNIQUE, v);
        INSERT INTO keyed VALUES (8, 0), (9, 0);
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
        INSERT INTO item SELECT i, 'name ' || i, i % 7 FROM n;
        """
      )
    }

    deinit {
      process.endInput()
      process.wait()
    }

    /// Runs statements, and returns when they have ended.
    func run(_ sql: String) {
      count += 1
      process.write("\(sql);\nSELECT 'done \(count)';\n")
      _ = process.read(until: "done \(count)\n")
    }
  }

  private func open(_ path: String, isWatched: Bool) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.readonly = isWatched
    return try DatabasePool(path: path, configuration: configuration)
  }

  struct Commit: Sendable, CustomTestStringConvertible {
    let sql: String
    /// The queries that it runs.
    let runs: Set<String>
    var testDescription: String { sql }

    init(_ sql: String, _ runs: String...) { (self.sql, self.runs) = (sql, Set(runs)) }
  }

  private static let queries = [
    "one": "SELECT name FROM item WHERE id = 1", "far": "SELECT name FROM item WHERE id = 4000",
    "last": "SELECT count(*) FROM item WHERE id > 4900",
    "either": "SELECT name FROM item WHERE id = 1 OR id = 4000",
    "kind": "SELECT name FROM item WHERE kind = 80", "all": "SELECT sum(kind) FROM item",
    "other": "SELECT * FROM other", "pair": "SELECT * FROM pair",
    "keyed": "SELECT v FROM keyed INDEXED BY sqlite_autoindex_keyed_1 WHERE id = 9",
  ]

  static let commits = [
    Commit("UPDATE item SET name = 'x' WHERE id = 1", "one", "either"),
    Commit("UPDATE item SET name = 'x' WHERE id = 4000", "far", "either"),
    Commit("INSERT INTO item VALUES (6000, 'x', 0)", "last", "all"),
    Commit("DELETE FROM item WHERE id = 5000", "last", "all"),
    // The values of a column are compared too.
    Commit("UPDATE item SET name = 'x' WHERE id = 2000"),
    Commit("UPDATE item SET kind = 8 WHERE id = 2000", "all"),
    Commit("UPDATE item SET kind = 80 WHERE id = 2000", "all", "kind"),
    Commit("INSERT INTO item VALUES (-5, 'x', 80)", "all", "kind"),
    Commit("INSERT INTO other VALUES (1)", "other"),
    Commit("INSERT INTO pair VALUES (1, 2)", "pair"),
    // SQLite stores NULL for a key that is the row id, with an index of its own or without one.
    Commit("UPDATE keyed SET v = 1 WHERE id = 9", "keyed"),
    Commit("UPDATE keyed SET v = 1 WHERE id = 8"),
    Commit("BEGIN; UPDATE item SET name = 'x'; ROLLBACK"),
    Commit("PRAGMA wal_checkpoint"),
    Commit("UPDATE item SET id = 7000 WHERE id = 1", "one", "either", "all", "last"),
    Commit(
      "CREATE TABLE new (a)",
      "one",
      "far",
      "last",
      "either",
      "kind",
      "all",
      "other",
      "pair",
      "keyed"
    ),
  ]

  @Test(arguments: commits, [true, false])
  func `a commit of another process runs the queries that read its rows`(
    commit: Commit,
    isWatched: Bool
  ) async throws {
    let directory = TemporaryDirectory()
    let shell = try Shell(directory.file())
    let pool = try open(directory.file(), isWatched: isWatched)
    let ran = Lock(Set<String>())
    let observations = Self.queries.map { name, sql in
      ValueObservation.tracking(AllElements(SQLRequest<Row>(sql: sql)))
        .handleEvents(willFetch: { ran.withLock { _ = $0.insert(name) } })
        .start(in: pool, onError: { Issue.record($0) }, onChange: { _ in })
    }
    try await pool.quiesce()
    // The log was not known before the first commit, if its connections were closed meanwhile.
    shell.run("INSERT INTO item VALUES (-1, 'first', 0)")
    try await pool.quiesce()
    ran.withLock { $0 = [] }
    shell.run(commit.sql)
    try await pool.quiesce()
    #expect(ran.withLock { $0 } == commit.runs)
    for observation in observations { observation.cancel() }
  }

  /// Looks come while the other process is writing the index.
  @Test(arguments: [true, false])
  func `none of many commits in a row counts as a change of everything`(
    isWatched: Bool
  ) async throws {
    let directory = TemporaryDirectory()
    let shell = try Shell(directory.file())
    let pool = try open(directory.file(), isWatched: isWatched)
    let seen = Lock<[Int?]>([])
    let count = SQLRequest<Int>(sql: "SELECT n FROM other")
    let observation = ValueObservation.tracking(AllElements(count))
      .start(in: pool, onError: { Issue.record($0) }) { values in
        seen.withLock { $0.append(values.first) }
      }
    shell.run("INSERT INTO other VALUES (0)")
    try await pool.quiesce()
    // A checkpoint can end the log before its last commits are read.
    func unread() -> [String: Int] {
      pool.observationStatistics.unreadForeignCommits.filter { !$0.key.contains("overwritten") }
    }
    let before = unread()
    let last = Soak.isFull ? 20_000 : 200
    for number in 1...last {
      shell.run("UPDATE other SET n = \(number)")
      if number % 50 == 0 { try await pool.quiesce() }
    }
    #expect(seen.withLock { $0.last } == last)
    #expect(unread() == before)
    observation.cancel()
  }

  @Test(arguments: [true, false])
  func `a large result is patched by the rows of another process`(isWatched: Bool) async throws {
    let directory = TemporaryDirectory()
    let shell = try Shell(directory.file())
    let pool = try open(directory.file(), isWatched: isWatched)
    let request = SQLRequest<Row>(sql: "SELECT * FROM item WHERE kind < 5 ORDER BY id")
    let seen = Lock([Row]())
    let observation = ValueObservation.tracking(AllElements(request))
      .start(in: pool, onError: { Issue.record($0) }) { rows in seen.withLock { $0 = rows } }
    try await pool.quiesce()
    for number in 1...20 {
      shell.run("UPDATE item SET name = 'x', kind = \(number % 7) WHERE id = \(number * 200)")
      try await pool.quiesce()
      let expected = try await pool.read { try request.fetchAll($0) }
      #expect(seen.withLock { $0 } == expected)
    }
    let statistics = pool.observationStatistics
    #expect(statistics.patches >= 15, "\(statistics)")
    #expect(statistics.foreignCommits >= 15)
    #expect(statistics.unreadForeignCommits.values.reduce(0, +) <= 2, "\(statistics)")
    observation.cancel()
  }
}
