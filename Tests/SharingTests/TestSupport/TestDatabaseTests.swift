import Sharing
import SharingTestSupport
import Testing

@Suite struct TestDatabaseTests {
  @Test func `the error outside the trait says what to add`() async {
    #expect(throws: NoTestDatabase.self) { try testDatabase }
    #expect("\(NoTestDatabase())".contains(".inMemoryDatabase"))
    await #expect(throws: NoDefaultDatabase.self) { try await quiesce() }
  }
}
