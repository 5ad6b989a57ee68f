import Foundation
import Storage
import Testing

@testable import StorageTestSupport

@Suite struct UUIDConversionTests {
  @Test func `A-036: a UUID is stored as bytes, and also read from text`() throws {
    let uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!
    try expectRoundTrip(uuid, Data(withUnsafeBytes(of: uuid.uuid) { Array($0) }))
    try withDatabase { db throws in
      let text = try UUID.fetchOne(db, sql: "SELECT lower(?)", arguments: [uuid.uuidString])
      #expect(text == uuid)
    }
    try expectRefusal(
      UUID.self,
      "NULL",
      "1",
      "''",
      "x''",
      "zeroblob(15)",
      "zeroblob(17)",
      "'E621E1F8'"
    )
  }
}
