import Storage
import Testing

@testable import StorageTestSupport

@Suite struct JSONColumnTests {
  @Test func `A-091: a JSON column is read by key`() throws {
    try expectSQL(JSONColumn("name")["city"] == "Rome", #"("name" ->> 'city') = 'Rome'"#)
  }
}
