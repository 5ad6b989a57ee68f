import Dispatch
import Storage
import Testing
import TestSupport
import WellspringSystem

@testable import StorageTestSupport

/// Observations of requests with associations.
@Suite(.patient) struct AssociationObservationTests {
  /// A request of each kind, which reads few columns.
  enum Kind: String, CaseIterable, Sendable {
    case required, optional, joining, all, nested, between, limited, oneParent, expression

    var request: QueryInterfaceRequest<Row> {
      let titles = Book.author.select(\.name)
      return switch self {
      case .required:
        Award.select { [$0.name] }.including(required: Award.book.select(\.title)).rows
      case .optional:
        Book.select(\.title).including(optional: titles).rows
      case .joining:
        Author.select(\.name).joining(required: Author.country.filter { $0.name != "" }).rows
      case .all:
        Author.select(\.name).including(all: Author.books.select(\.title)).rows
      case .nested:
        Nation.select { [$0.code] }.including(
          all: Nation.authors.select(\.name).including(
            all: Author.books.select(\.title).including(optional: Book.cover)
          )
        ).rows
      case .between:
        Reader.select(Column("name")).including(all: Reader.books.select(\.title)).rows
      case .limited:
        Author.select(\.name)
          .including(all: Author.books.select(\.title).order(\.year).limit(1)).rows
      case .oneParent:
        Author.filter(key: 1).select(\.name).including(all: Author.books.select(\.title)).rows
      case .expression:
        Author.select(\.name).including(optional: Self.oeuvre(of: Self.books)).with(Self.books).rows
      }
    }

    private static let books = CommonTableExpression<Row>(
      named: "oeuvre",
      request: Book.select { [$0.authorID, count($0.id).forKey("books")] }.group(\.authorID)
    )

    private static func oeuvre(
      of books: CommonTableExpression<Row>
    ) -> JoinAssociation<Author, Row> {
      Author.association(to: books) { author, oeuvre in oeuvre[Column("authorID")] == author.id }
    }
  }

  static let requests = Kind.allCases.map(\.request)

  struct Change: Sendable, CustomTestStringConvertible {
    let kind: Kind
    let sql: String
    var testDescription: String { "\(kind) | \(sql)" }

    init(_ kind: Kind, _ sql: String) {
      self.kind = kind
      self.sql = sql
    }
  }

  static let touched = [
    Change(.required, "UPDATE book SET title = 'new' WHERE id = 3"),
    Change(.required, "UPDATE award SET bookID = 5 WHERE id = 2"),
    Change(.required, "INSERT INTO award VALUES (9, 'New', 5)"),
    Change(.optional, "UPDATE author SET name = 'new' WHERE id = 1"),
    Change(.optional, "UPDATE book SET authorID = NULL WHERE id = 1"),
    Change(.joining, "UPDATE country SET name = '' WHERE code = 'FR'"),
    Change(.joining, "UPDATE author SET countryCode = 'IS' WHERE id = 4"),
    Change(.all, "UPDATE author SET name = 'new' WHERE id = 2"),
    Change(.all, "UPDATE book SET title = 'new' WHERE id = 2"),
    Change(.all, "UPDATE book SET authorID = 4 WHERE id = 5"),
    Change(.all, "INSERT INTO book VALUES (9, 'New', 1, 4, NULL)"),
    Change(
      .all,
      """
      DELETE FROM copy WHERE id = 5; DELETE FROM cover WHERE bookID = 4;
      DELETE FROM book WHERE id = 4
      """
    ),
    Change(.nested, "UPDATE country SET code = 'UK' WHERE code = 'IS'"),
    Change(.nested, "UPDATE author SET countryCode = 'IS' WHERE id = 4"),
    Change(.nested, "UPDATE book SET authorID = 2 WHERE id = 1"),
    Change(.nested, "UPDATE cover SET path = 'new.png' WHERE bookID = 4"),
    Change(.between, "UPDATE loan SET copyID = 3 WHERE readerID = 2"),
    Change(.between, "UPDATE copy SET bookID = 4 WHERE id = 1"),
    Change(.between, "UPDATE book SET title = 'new' WHERE id = 1"),
    Change(.between, "INSERT INTO loan VALUES (3, 1, NULL)"),
    Change(.between, "DELETE FROM loan WHERE readerID = 1"),
    Change(.limited, "UPDATE book SET year = 1 WHERE id = 1"),
    Change(.oneParent, "UPDATE author SET name = 'new' WHERE id = 1"),
    Change(.oneParent, "UPDATE book SET authorID = 1 WHERE id = 5"),
    Change(.expression, "UPDATE book SET authorID = 2 WHERE id = 1"),
  ]

  static let untouched = [
    Change(.required, "UPDATE book SET year = 1, authorID = 2, editorID = 1"),
    Change(.required, "UPDATE author SET name = 'new'"),
    Change(.optional, "UPDATE author SET mentorID = 2, countryCode = NULL"),
    Change(.optional, "UPDATE book SET year = 1, editorID = 1"),
    Change(.joining, "UPDATE author SET mentorID = 2"),
    Change(.joining, "INSERT INTO book VALUES (9, 'New', 1, 4, NULL)"),
    Change(.all, "UPDATE book SET year = 1, editorID = 1"),
    Change(.all, "UPDATE author SET countryCode = NULL"),
    Change(.all, "INSERT INTO award VALUES (9, 'New', 1)"),
    Change(.nested, "UPDATE author SET mentorID = 2"),
    Change(.nested, "UPDATE book SET year = 1, editorID = 1"),
    Change(.between, "UPDATE loan SET day = '2026-02-01'"),
    Change(.between, "UPDATE copy SET room = NULL"),
    Change(.between, "UPDATE book SET year = 1, authorID = 2"),
    Change(.limited, "UPDATE book SET editorID = 1"),
    Change(.oneParent, "UPDATE author SET name = 'new' WHERE id > 1"),
    Change(.oneParent, "UPDATE book SET year = 1"),
    Change(.expression, "UPDATE book SET title = 'new', year = 1"),
  ]

  private func withPool<Result>(
    _ configuration: Configuration = Configuration(),
    _ body: (DatabasePool) async throws -> Result
  ) async throws -> Result {
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file(), configuration: configuration)
    try await pool.write { db in
      try db.execute(sql: Library.schema)
      try db.execute(sql: Library.content)
      try db.execute(sql: "CREATE TABLE marker (x); INSERT INTO marker VALUES (0)")
    }
    let result = try await body(pool)
    try pool.close()
    return result
  }

  /// Makes a change and then one of another table, and counts the runs of the request and the
  /// values that it delivers.
  private func effect(_ change: Change) async throws -> (runs: Int, values: Int) {
    try await withPool { pool in
      let request = change.kind.request
      let values = Lock(0)
      let cancellable = ValueObservation.tracking { db in try Row.fetchAll(db, request) }
        .removeDuplicates()
        .start(
          in: pool,
          onError: { Issue.record($0) },
          onChange: { _ in values.withLock { $0 += 1 } }
        )
      let (markers, second) = ValueObservation.tracking { db in
        try Int.fetchOne(db, sql: "SELECT x FROM marker")
      }.record(in: pool)
      defer {
        cancellable.cancel()
        second.cancel()
      }
      _ = try await markers.nextValue()
      try await pool.quiesce()
      let before = pool.observationStatistics.runs
      values.withLock { $0 = 0 }
      try await pool.write { db in try db.execute(sql: change.sql) }
      try await pool.write { db in try db.execute(sql: "UPDATE marker SET x = x + 1") }
      #expect(try await markers.nextValue() == 1)
      try await pool.quiesce()
      // One run is the run of the marker.
      return (pool.observationStatistics.runs - before - 1, values.withLock { $0 })
    }
  }

  @Test(arguments: touched)
  func `P1: a change of a parent, of a child and of a row between is followed by a new value`(
    _ change: Change
  ) async throws {
    let effect = try await effect(change)
    #expect(effect == (1, 1))
  }

  @Test(arguments: untouched)
  func `P4: a change of columns and tables that the request does not read runs nothing`(
    _ change: Change
  ) async throws {
    let effect = try await effect(change)
    #expect(effect == (0, 0))
  }

  private struct AuthorInfo: Decodable, Hashable, Sendable, FetchableRecord {
    var author: Author
    var books: [Book]
  }

  private static func infos() -> QueryInterfaceRequest<AuthorInfo> {
    Author.including(all: Author.books.order(\.id)).order(\.id).asRequest(of: AuthorInfo.self)
  }

  @Test func `requests are observed as all elements, the first one and their number`()
    async throws
  {
    try await withPool { pool in
      let (all, first) = ValueObservation.tracking(Self.infos()).record(in: pool)
      let (one, second) = ValueObservation.trackingOne(Self.infos()).record(in: pool)
      let (count, third) = ValueObservation.trackingCount(Self.infos()).record(in: pool)
      #expect(try await all.nextValue().map(\.books.count) == [2, 1, 1, 0])
      #expect(try await one.nextValue()?.books.map(\.title) == ["Moby-Dick", "Typee"])
      #expect(try await count.nextValue() == 4)
      try await pool.write { db in
        try db.execute(sql: "UPDATE book SET authorID = 4 WHERE id = 2")
      }
      #expect(try await all.nextValue().map(\.books.count) == [1, 1, 1, 1])
      #expect(try await one.nextValue()?.books.map(\.title) == ["Moby-Dick"])
      try await pool.write { db in
        try db.execute(sql: "INSERT INTO author VALUES (9, 'New', NULL, NULL)")
      }
      #expect(try await all.nextValue().map(\.books.count) == [1, 1, 1, 1, 0])
      #expect(try await count.nextValue() == 5)
      for cancellable in [first, second, third] { cancellable.cancel() }
    }
  }

  @Test func `P1: a constant region contains associated rows that the first run does not read`()
    async throws
  {
    try await withPool { pool in
      let request = Author.filter { $0.name == "New" }.including(all: Author.books)
        .asRequest(of: AuthorInfo.self)
      let observation = ValueObservation.trackingConstantRegion { db in try request.fetchAll(db) }
      let (recorder, cancellable) = observation.record(in: pool)
      #expect(try await recorder.nextValue() == [])
      try await pool.write { db in
        try db.execute(sql: "UPDATE author SET name = 'New' WHERE id = 4")
      }
      #expect(try await recorder.nextValue().map(\.books.count) == [0])
      try await pool.write { db in
        try db.execute(sql: "UPDATE book SET authorID = 4 WHERE id = 5")
      }
      #expect(try await recorder.nextValue().map(\.books.count) == [1])
      cancellable.cancel()
    }
  }

  @Test func `P1: a region observation notices a row that moves to another parent`() async throws {
    try await withPool { pool in
      let request = Author.including(all: Author.books.select(\.title))
      let changes = Lock(0)
      let cancellable = DatabaseRegionObservation(tracking: request).start(
        in: pool,
        onError: { Issue.record($0) },
        onChange: { _ in changes.withLock { $0 += 1 } }
      )
      try await pool.write { db in try db.execute(sql: "UPDATE book SET year = 1") }
      #expect(changes.withLock { $0 } == 0)
      try await pool.write { db in
        try db.execute(sql: "UPDATE book SET authorID = 4 WHERE id = 5")
      }
      #expect(changes.withLock { $0 } == 1)
      cancellable.cancel()
    }
  }

  @Test func `P6: equal requests with associations share one query`() async throws {
    try await withPool { pool in
      let observers = (0..<5).map { _ in ValueObservation.tracking(Self.infos()).record(in: pool) }
      for (recorder, _) in observers {
        let infos = try await recorder.nextValue()
        #expect(infos.count == 4)
      }
      #expect(pool.observationStatistics.live == 1)
      #expect(pool.observationStatistics.runs == 1)
      for (_, cancellable) in observers { cancellable.cancel() }
    }
  }

  /// Commits on another thread while a statement runs.
  private final class Interruption: Sendable {
    private let work = Lock<(@Sendable () throws -> Void)?>(nil)

    var function: DatabaseFunction {
      DatabaseFunction("interruption", argumentCount: 0) { [self] _ in
        let work = work.withLock { work in
          defer { work = nil }
          return work
        }
        guard let work else { return true }
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
          do { try work() } catch { Issue.record(error) }
          done.signal()
        }
        done.wait()
        return true
      }
    }

    func once(_ work: @escaping @Sendable () throws -> Void) {
      self.work.withLock { $0 = work }
    }
  }

  @Test func `P7: the statements of all levels see one moment, whatever is committed meanwhile`()
    async throws
  {
    let interruption = Interruption()
    var configuration = Configuration()
    configuration.prepareDatabase { db in db.add(function: interruption.function) }
    try await withPool(configuration) { pool in
      let request = Author.filter(sql: "interruption()").order(\.id)
        .including(all: Author.books.order(\.id).filter(sql: "interruption()"))
        .asRequest(of: AuthorInfo.self)
      let move = "UPDATE book SET authorID = 4; UPDATE author SET name = 'empty' WHERE id < 4"
      interruption.once { try pool.write { db in try db.execute(sql: move) } }
      // An event may not be delivered if another event follows it at once.
      let fetched = Lock<[[AuthorInfo]]>([])
      let observation = ValueObservation.tracking { db in
        let infos = try request.fetchAll(db)
        fetched.withLock { $0.append(infos) }
        return infos
      }
      let (recorder, cancellable) = observation.record(in: pool)
      let last = try await recorder.value { $0[0].author.name == "empty" }
      #expect(last.map(\.books.count) == [0, 0, 0, 5])
      let first = try #require(fetched.withLock { $0.first })
      #expect(first.map(\.author.name) == ["Melville", "Zola", "Auster", "Anonymous"])
      #expect(first.map(\.books.count) == [2, 1, 1, 0])
      cancellable.cancel()
      interruption.once {
        try pool.write { db in try db.execute(sql: "UPDATE book SET authorID = 1") }
      }
      let read = try await pool.read { db in try request.fetchAll(db) }
      #expect(read == last)
    }
  }
}

extension QueryInterfaceRequest {
  /// The request, with rows as its elements.
  fileprivate var rows: QueryInterfaceRequest<Row> {
    asRequest(of: Row.self)
  }
}
