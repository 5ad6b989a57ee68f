import Storage
import Testing

// Examples from doc comments. DocumentedSQLTests runs them.

extension Examples {
  func swiftFunctionExamples() throws {
    try check(#""name" COLLATE swiftCompare"#, Column("name").collating(.unicodeCompare))
    try check(
      #""name" = 'zoé' COLLATE swiftCaseInsensitiveCompare"#,
      Column("name").collating(.caseInsensitiveCompare) == "zoé"
    )
    try check(
      #""name" COLLATE swiftLocalizedCaseInsensitiveCompare"#,
      Column("name").collating(.localizedCaseInsensitiveCompare)
    )
    try check(#""name" COLLATE swiftLocalizedCompare"#, Column("name").collating(.localizedCompare))
    try check(
      #""name" COLLATE swiftLocalizedStandardCompare"#,
      Column("name").collating(.localizedStandardCompare)
    )
    try check(#"swiftCapitalizedString("name")"#, DatabaseFunction.capitalize(Column("name")))
    try check(#"swiftLowercaseString("name")"#, DatabaseFunction.lowercase(Column("name")))
    try check(#"swiftUppercaseString("name")"#, DatabaseFunction.uppercase(Column("name")))
    try check(
      #"swiftLocalizedCapitalizedString("name")"#,
      DatabaseFunction.localizedCapitalize(Column("name"))
    )
    try check(
      #"swiftLocalizedLowercaseString("name")"#,
      DatabaseFunction.localizedLowercase(Column("name"))
    )
    try check(
      #"swiftLocalizedUppercaseString("name")"#,
      DatabaseFunction.localizedUppercase(Column("name"))
    )
  }
}
