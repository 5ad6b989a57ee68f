@testable import Storage
import Testing

@Suite struct CatchingTests {
  @Test func `STM-23: an error is caught by its code`() async {
    await #expect(processExitsWith: .success) {
      do {
        throw DatabaseError(resultCode: .SQLITE_BUSY)
      } catch DatabaseError.SQLITE_BUSY {
      }
    }
  }
}
