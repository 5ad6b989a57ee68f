import Storage
import Testing

@Suite struct FailureReportTests {
  @Test func `a report is one line with the source and the error`() {
    let error = DatabaseError(
      resultCode: .SQLITE_ERROR,
      message: "no such table: itme",
      sql: "SELECT *\n  FROM itme\n WHERE id = ?",
      arguments: [42]
    )
    let report = FailureReport(source: "fetchAll(SELECT *\n  FROM itme)", error: error)
    #expect(
      report.description == """
        fetchAll(SELECT * FROM itme): SQLite error 1: no such table: itme - while executing \
        "SELECT * FROM itme WHERE id = ?"
        """
    )
  }

  @Test func `a report of several failures has their count`() {
    let error = DatabaseError(resultCode: .SQLITE_FULL)
    #expect(
      FailureReport(source: "shop.sqlite", error: error, count: 41).description
        == "shop.sqlite: SQLite error 13 (41 times)"
    )
  }

  @Test func `a line is short enough for a pipe`() {
    let error = DatabaseError(message: String(repeating: "é", count: 10_000))
    let report = FailureReport(source: "key", error: error, count: 1_000_000)
    #expect("wellspring: \(report)\n".utf8.count <= 4_096)
    #expect(report.description.hasSuffix("… (1000000 times)"))
  }
}
