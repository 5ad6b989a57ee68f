import Storage
import Testing

@testable import StorageTestSupport

private let name = Column("name")
private let email = Column("email")

@Suite struct StringsTests {
  private static let calls: [(SQLExpression, String)] = [
    (length(name), #"LENGTH("name")"#),
    (trim(name), #"TRIM("name")"#),
    (trim(name, characters: "-"), #"TRIM("name", '-')"#),
    (trimLeft(name), #"LTRIM("name")"#),
    (trimRight(name), #"RTRIM("name")"#),
    (replace(email, "a", "b"), #"REPLACE("email", 'a', 'b')"#),
    (substr(name, 1), #"SUBSTR("name", 1)"#),
    (substr(name, 0, 100), #"SUBSTR("name", 0, 100)"#),
    (instr(email, "@"), #"INSTR("email", '@')"#),
    (asciiLowercased(name), #"LOWER("name")"#),
    (asciiUppercased(name), #"UPPER("name")"#),
  ]

  @Test(arguments: calls)
  func `FUN-05, FUN-17, FUN-18, A-079: string functions are written as calls`(
    _ expression: SQLExpression,
    _ sql: String
  ) throws {
    try expectSQL(expression, sql)
  }

  private static let results: [(SQLExpression, String)] = [
    (length(name), "6"),
    (trim(name, characters: "Ar"), "'thu'"),
    (trimLeft(name, characters: "A"), "'rthur'"),
    (trimRight(name, characters: "r"), "'Arthu'"),
    (replace(email, "@", " at "), "'a at x.com'"),
    (substr(name, 1, 3), "'Art'"),
    (instr(email, "@"), "2"),
    (asciiLowercased(name), "'arthur'"),
    (asciiUppercased(name), "'ARTHUR'"),
  ]

  @Test(arguments: results)
  func `FUN-05, FUN-17, FUN-18: string functions compute strings`(
    _ expression: SQLExpression,
    _ value: String
  ) throws {
    try expectValue(expression, value)
  }
}
