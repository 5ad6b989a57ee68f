import Storage
import Testing

@testable import StorageTestSupport

private let score = Column("score")

@Suite struct ColumnTests {
  @Test func `STM-27: columns are quoted`() throws {
    try expectSQL(Column("order"), #""order""#)
    try expectSQL(Column.rowID, #""rowid""#)
    try expectSQL(score.detached, #""score""#)
  }
}
