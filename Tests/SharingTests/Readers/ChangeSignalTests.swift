import Observation
import Sharing
import Testing
import TestSupport

@Suite("A-127: the standard library's Observation", .patient)
struct ChangeSignalTests {
  @Test func `a change after a tracked read is reported`() async throws {
    let database = try await makeDatabase()
    let reader = SharedReader(.items(in: database))
    let changed = AsyncStream.makeStream(of: Int.self)
    withObservationTracking {
      _ = reader.wrappedValue
    } onChange: {
      // The reader shows the new value already.
      changed.continuation.yield(reader.wrappedValue.count)
    }
    try await database.run("DELETE FROM item")
    #expect(await changed.stream.first { _ in true } == 0)
  }

  @Test func `Observations of a reader reach its last value, even if they miss other values`()
    async throws
  {
    let database = try await makeDatabase()
    for round in 0..<20 {
      try await database.run("UPDATE item SET name = '0' WHERE id = 1")
      let reader = SharedReader<String>(
        wrappedValue: "",
        .fetchOne(sql: "SELECT name FROM item WHERE id = 1", database: database)
      )
      let seen = Task {
        for await name in Observations({ reader.wrappedValue }) where name == "30" { return name }
        return "none"
      }
      for number in 1...30 {
        try await database.run("UPDATE item SET name = '\(number)' WHERE id = 1")
        if number % 7 == round % 7 { await Task.yield() }
      }
      #expect(await seen.value == "30")
    }
  }

  @Test func `a change of the error is reported`() async throws {
    let database = try await makeDatabase()
    let reader = SharedReader(.items(in: database))
    let seen = Task {
      for await hasFailed in Observations({ reader.loadError != nil }) where hasFailed {
        return true
      }
      return false
    }
    try await database.run("DROP TABLE item")
    #expect(await seen.value)
  }

  private typealias Read = @Sendable (SharedReader<[Item]>) -> Void
  private static let reads: [(name: String, read: Read)] = [
    ("value", { _ = $0.wrappedValue }),
    ("derived value", { _ = $0.count.wrappedValue }),
    ("isLoading", { _ = $0.isLoading }),
    ("loadError", { _ = $0.loadError }),
  ]

  @Test(arguments: reads.map(\.name))
  func `a change from a constant to a key is reported`(_ name: String) async throws {
    let database = try await makeDatabase()
    let reader = SharedReader<[Item]>(value: [])
    let read = try #require(Self.reads.first { $0.name == name }).read
    let changed = Event()
    withObservationTracking {
      read(reader)
    } onChange: {
      changed.happen()
    }
    try await reader.load(.items(in: database))
    try await changed.wait()
  }

  @Test(arguments: ["constant", "fixed value", "key"])
  func `a change between a read and the start of the observation is reported`(_ source: String)
    async throws
  {
    let database = try await makeDatabase()
    let other = FetchKey<[Item]>.fetchAll(
      sql: "SELECT * FROM item WHERE id = 1",
      database: database
    )
    let reader: SharedReader<[Item]> =
      switch source {
      case "constant": SharedReader(value: [])
      case "fixed value": await FixedValues.with(other, []) { SharedReader(other) }
      default: SharedReader(other)
      }
    let changed = Event()
    withObservationTracking {
      _ = reader.wrappedValue
      // This releases the source that was read.
      reader.projectedValue = SharedReader(.items(in: database))
    } onChange: {
      changed.happen()
    }
    try await changed.wait()
  }

  @Test func `a change of the key is reported`() async throws {
    let database = try await makeDatabase()
    let reader = SharedReader<[Item]>(value: [])
    let derived = SharedReader(.items(in: database))
    reader.projectedValue = derived
    let seen = Task {
      for await name in Observations({ reader.wrappedValue.first?.name }) where name == "new" {
        return true
      }
      return false
    }
    try await reader.load(
      .fetchAll(sql: "SELECT 1 AS id, 'new' AS name", database: database)
    )
    #expect(await seen.value)
  }
}
