internal import Foundation

// The functions of strings that all connections have.

extension DatabaseFunction {
  /// `capitalized` of Swift's strings.
  ///
  ///     DatabaseFunction.capitalize(Column("name"))
  ///     // swiftCapitalizedString("name")
  public static let capitalize = ofString("swiftCapitalizedString", \.capitalized)

  /// `lowercased()` of Swift's strings.
  ///
  ///     DatabaseFunction.lowercase(Column("name"))
  ///     // swiftLowercaseString("name")
  public static let lowercase = ofString("swiftLowercaseString") { $0.lowercased() }

  /// `uppercased()` of Swift's strings.
  ///
  ///     DatabaseFunction.uppercase(Column("name"))
  ///     // swiftUppercaseString("name")
  public static let uppercase = ofString("swiftUppercaseString") { $0.uppercased() }

  /// `localizedCapitalized` of Swift's strings.
  ///
  ///     DatabaseFunction.localizedCapitalize(Column("name"))
  ///     // swiftLocalizedCapitalizedString("name")
  public static let localizedCapitalize = ofString(
    "swiftLocalizedCapitalizedString",
    \.localizedCapitalized
  )

  /// `localizedLowercase` of Swift's strings.
  ///
  ///     DatabaseFunction.localizedLowercase(Column("name"))
  ///     // swiftLocalizedLowercaseString("name")
  public static let localizedLowercase = ofString(
    "swiftLocalizedLowercaseString",
    \.localizedLowercase
  )

  /// `localizedUppercase` of Swift's strings.
  ///
  ///     DatabaseFunction.localizedUppercase(Column("name"))
  ///     // swiftLocalizedUppercaseString("name")
  public static let localizedUppercase = ofString(
    "swiftLocalizedUppercaseString",
    \.localizedUppercase
  )

  /// What each connection has from its opening on.
  static let predefined = [
    capitalize, lowercase, uppercase, localizedCapitalize, localizedLowercase, localizedUppercase,
  ]

  /// A function of one text. A number counts as its text, as with SQLite's own functions.
  private static func ofString(
    _ name: String,
    _ transform: @escaping @Sendable (String) -> String
  ) -> DatabaseFunction {
    DatabaseFunction(
      name,
      argumentCount: 1,
      pure: true,
      kind: ScalarFunction { arguments in
        let value = arguments[0]
        guard !value.isNull, let text = value.string else { return .null }
        return transform(text).databaseValue
      }
    )
  }
}
