#if !WELLSPRING_WITHOUT_ICU
  internal import Foundation
#else
  internal import FoundationEssentials
#endif

// The functions of Swift's strings, which all connections have.

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

  #if !WELLSPRING_WITHOUT_ICU
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
  #endif

  /// The functions that are added to each connection when it opens.
  static let predefined: [DatabaseFunction] = {
    #if !WELLSPRING_WITHOUT_ICU
      [
        capitalize, lowercase, uppercase, localizedCapitalize, localizedLowercase,
        localizedUppercase,
      ]
    #else
      [capitalize, lowercase, uppercase]
    #endif
  }()

  /// Creates a function of one string. Like SQLite's own functions, it converts a number to its
  /// text.
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
