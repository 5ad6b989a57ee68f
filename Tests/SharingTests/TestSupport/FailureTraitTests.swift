import Sharing
import SharingTestSupport
import Testing
import WellspringSystem

@Suite(.inMemoryDatabase(createShop)) struct FailureTraitTests {
  private func makeReader(_ table: String) -> SharedReader<[Item]> {
    SharedReader(.fetchAll(sql: "SELECT * FROM \(table)"))
  }

  @Test func `a typo is one issue of the test`() {
    let issues = Lock<[String]>([])
    withKnownIssue {
      let readers = (0..<3).map { _ in makeReader("itme") }
      #expect(readers.allSatisfy { $0.wrappedValue.isEmpty })
    } matching: { issue in
      issues.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
      return issue.error is DatabaseError
    }
    #expect(issues.withLock { $0 } == ["fetchAll(SELECT * FROM itme) has failed"])
  }

  @Test func `a failure that comes later is an issue of the test once it is quiet`() async throws {
    let reader = makeReader("item")
    try await withKnownIssue {
      try await testDatabase.run("DROP TABLE item")
      try await quiesce()
    } matching: { issue in
      (issue.error as? DatabaseError)?.message == "no such table: item"
    }
    #expect(reader.wrappedValue.count == 2)
  }

  @Test(.allowsFailures { ($0.error as? DatabaseError)?.resultCode == .SQLITE_ERROR })
  func `a trait allows failures, during the test and at its end`() async throws {
    let readers = (makeReader("itme"), makeReader("item"))
    try await testDatabase.run("DROP TABLE item")
    try await testDatabase.quiesce()
    #expect(readers.1.loadError != nil)
  }

  @Test(.fixedValue(of: .fetchCount(Item.all()), 99))
  func `traits together record a failure once`() {
    withKnownIssue {
      _ = makeReader("itme")
    } matching: { _ in
      true
    }
  }
}

@Suite struct FailureTraitWithoutDatabaseTests {
  @Test(.recordsFailures) func `a missing default database is an issue`() {
    withKnownIssue {
      #expect(Service().count == 0)
    } matching: { issue in
      issue.error is NoDefaultDatabase
    }
  }

  @Test(.fixedValue(of: .fetchCount(Item.all()), 99))
  func `a reader whose value is not fixed is an issue`() {
    #expect(Service().count == 99)
    withKnownIssue {
      _ = SharedReader<[Item]>(.fetchAll(Item.all()))
    } matching: { issue in
      issue.error is NoDefaultDatabase
    }
  }
}
