@testable import Storage
import Testing

@Suite struct CatchingTests {
  @Test func `catching an error by its code`() async {
    await #expect(processExitsWith: .success) {
      do {
        throw DatabaseError(resultCode: .SQLITE_BUSY)
      } catch DatabaseError.SQLITE_BUSY {
      }
    }
  }
}
