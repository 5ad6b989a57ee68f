import Foundation
import Storage
import Testing

@testable import StorageTestSupport

@Suite struct DatabaseErrorTests {
  struct Undo: Error {}

  /// Returns the error of an insertion that violates a constraint.
  func conflict(_ configuration: Configuration = Configuration()) throws -> DatabaseError {
    try withDatabase(configuration) { db in
      let sql = "INSERT INTO item VALUES (?, ?, 4)"
      let insert = { try db.execute(sql: sql, arguments: [1, "x"]) }
      try insert()
      let error = #expect(throws: DatabaseError.self, performing: insert)
      return try #require(error)
    }
  }

  @Test func `the description contains the message and the SQL`() throws {
    let error = try conflict()
    let text = """
      SQLite error 1555 (SQLITE_CONSTRAINT_PRIMARYKEY): UNIQUE constraint failed: item.id \
      - while executing "INSERT INTO item VALUES (?, ?, 4)"
      """
    #expect(error.description == text)
    #expect(error.expandedDescription == text + " with arguments [1, 'x']")
    #expect(error.arguments == [1, "x"])
    #expect(error.sql == "INSERT INTO item VALUES (?, ?, 4)")
    #expect(error.message == "UNIQUE constraint failed: item.id")
    #expect(error.underlyingError == nil)
  }

  @Test func `the description shows arguments if the configuration allows it`() throws {
    var configuration = Configuration()
    configuration.publicStatementArguments = true
    let error = try conflict(configuration)
    #expect(error.description == error.expandedDescription)
    #expect(error.description.hasSuffix(" with arguments [1, 'x']"))
  }

  @Test func `an error has an extended and a primary code`() throws {
    let error = try conflict()
    #expect(error.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY)
    #expect(error.resultCode == .SQLITE_CONSTRAINT)
  }

  @Test func `STM-23: a primary code catches its extended codes, an extended code only itself`()
    throws
  {
    let error = try conflict()
    do {
      throw error
    } catch ResultCode.SQLITE_BUSY, ResultCode.SQLITE_CONSTRAINT_UNIQUE {
      Issue.record("another code")
    } catch ResultCode.SQLITE_CONSTRAINT {
    }
    do {
      throw error
    } catch ResultCode.SQLITE_CONSTRAINT_PRIMARYKEY {
    }
    do {
      throw Undo()
    } catch ResultCode.SQLITE_CONSTRAINT {
      Issue.record("no error of a database")
    } catch is Undo {
    }
    do {
      throw DatabaseError(resultCode: .SQLITE_CONSTRAINT)
    } catch ResultCode.SQLITE_CONSTRAINT_PRIMARYKEY {
      Issue.record("the code has no extension")
    } catch ResultCode.SQLITE_CONSTRAINT {
    }
  }

  @Test(
    arguments: [
      ("SELECT * FORM item", 9, "near \"FORM\": syntax error"),
      ("SELECT nmae FROM item", 7, "no such column: nmae"),
      ("SELECT 'ö', nmae FROM item", 13, "no such column: nmae"),
    ]
  )
  func `the error of invalid SQL has the byte offset of the problem`(
    sql: String,
    offset: Int,
    message: String
  ) throws {
    try withDatabase { db in
      let error = expectDatabaseError(.SQLITE_ERROR, message) { _ = try Row.fetchAll(db, sql: sql) }
      #expect(error?.sqlOffset == offset)
      #expect(error?.sql == sql)
    }
  }

  @Test func `an error at run time has no offset`() throws {
    #expect(try conflict().sqlOffset == nil)
  }

  @Test func `an error made by the application is described like one of SQLite`() {
    let bare = DatabaseError()
    #expect(bare.description == "SQLite error 1")
    let full = DatabaseError(
      resultCode: .SQLITE_ABORT,
      message: "stopped",
      sql: "SELECT ?",
      arguments: ["secret"]
    )
    #expect(full.description == "SQLite error 4: stopped - while executing \"SELECT ?\"")
    #expect(full.expandedDescription == full.description + " with arguments ['secret']")
  }

  @Test func `a code without a constant is kept`() {
    let code = ResultCode(rawValue: 19 | 99 << 8)
    #expect(code.primaryResultCode == .SQLITE_CONSTRAINT)
    #expect(DatabaseError(resultCode: code).extendedResultCode.rawValue == 25_363)
    #expect(ResultCode.SQLITE_CONSTRAINT.description == "19 (constraint failed)")
  }

  @Test func `all codes of sqlite3.h have their names, and extended codes are described by them`()
    throws
  {
    let header = try String(contentsOfFile: "/usr/include/sqlite3.h", encoding: .utf8)
    let pattern = /#define (SQLITE_\w+) +\((SQLITE_[A-Z]+) *\| *\( *(\d+)<<8\)\)/
    let primary = /#define (SQLITE_[A-Z]+) +(\d+) +\/\*/
    let start = try #require(header.range(of: "#define SQLITE_OK "))
    let end = try #require(header.range(of: "#define SQLITE_OPEN_READONLY"))
    let codes = header[start.lowerBound..<end.lowerBound]
    var numbers: [Substring: Int32] = [:]
    for match in codes.matches(of: primary) {
      let number = try #require(Int32(match.2))
      numbers[match.1] = number
      #expect(ResultCode(rawValue: number).name == String(match.1))
    }
    #expect(numbers.count >= 31)
    let extended = codes.matches(of: pattern)
    #expect(extended.count >= 75)
    for match in extended {
      let number = try #require(numbers[match.2]) | #require(Int32(match.3)) << 8
      let error = DatabaseError(resultCode: ResultCode(rawValue: number), message: "why")
      #expect(error.description == "SQLite error \(number) (\(match.1)): why")
    }
  }

  @Test func `STM-23: an error can be caught by its code`() async {
    await #expect(processExitsWith: .success) {
      do {
        throw DatabaseError(resultCode: .SQLITE_BUSY)
      } catch DatabaseError.SQLITE_BUSY {
      }
    }
  }

  @Test func `a primary code in a switch matches its extended codes`() {
    func name(_ code: ResultCode) -> String {
      switch code {
      case .SQLITE_CONSTRAINT_UNIQUE: "unique"
      case .SQLITE_CONSTRAINT: "constraint"
      case .SQLITE_BUSY_SNAPSHOT: "snapshot"
      default: "other"
      }
    }
    #expect(name(.SQLITE_CONSTRAINT_UNIQUE) == "unique")
    #expect(name(.SQLITE_CONSTRAINT_CHECK) == "constraint")
    #expect(name(.SQLITE_CONSTRAINT) == "constraint")
    #expect(name(.SQLITE_BUSY) == "other")
    if case .SQLITE_BUSY_SNAPSHOT = ResultCode.SQLITE_BUSY { Issue.record("extended code matched") }
  }

  @Test func `interrupted and aborted statements have an interruption error`() throws {
    #expect(DatabaseError(resultCode: .SQLITE_INTERRUPT).isInterruptionError)
    #expect(DatabaseError(resultCode: .SQLITE_ABORT_ROLLBACK).isInterruptionError)
    #expect(!DatabaseError(resultCode: .SQLITE_BUSY).isInterruptionError)
  }
}
