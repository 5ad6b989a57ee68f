import Storage
import Testing

@testable import DemoCLI

@Suite struct SQLArgumentsTests {
  private static let readings: [String: DatabaseValue] = [
    "5": 5.databaseValue, "-5": (-5).databaseValue, "5.5": 5.5.databaseValue,
    "1e3": 1000.0.databaseValue, "99999999999999999999": 1e20.databaseValue,
    "NULL": .null, "null": "null".databaseValue, "05": "05".databaseValue,
    "-007": "-007".databaseValue, "00.5": "00.5".databaseValue, "+49": "+49".databaseValue,
    "0": 0.databaseValue, "-0.5": (-0.5).databaseValue, "0e1": 0.0.databaseValue,
    "cup": "cup".databaseValue, "'5'": "5".databaseValue, "'it''s'": "it's".databaseValue,
    "": "".databaseValue, "nan": "nan".databaseValue, "0x10": "0x10".databaseValue,
    "a=b": "a=b".databaseValue, "2024-01-01": "2024-01-01".databaseValue,
  ]

  @Test func `a text is a number if it looks like one`() throws {
    for (text, value) in Self.readings {
      #expect(try SQLArguments([text]).values == [value], "\(text)")
    }
  }

  @Test func `a name with its prefix and a value are a named argument`() throws {
    let arguments = try SQLArguments([":a=1", "@b=x=y", "$c=", "4"])
    #expect(arguments.values == [4.databaseValue])
    #expect(
      arguments.namedValues
        == ["a": 1.databaseValue, "b": "x=y".databaseValue, "c": "".databaseValue]
    )
  }
}
