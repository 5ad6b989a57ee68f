// String functions that Swift computes, with full Unicode support. SQLite's own
// ``asciiLowercased(_:)`` and ``asciiUppercased(_:)`` convert ASCII letters only.

extension SQLSpecificExpressible {
  /// The text with each word capitalized, by the rules of Swift's `capitalized`.
  ///
  ///     Player.select { $0.name.capitalized }
  ///     // SELECT swiftCapitalizedString("name") FROM "player"
  public var capitalized: SQLExpression { DatabaseFunction.capitalize(self) }

  /// The text in lower case, by the rules of Swift's `lowercased()`.
  ///
  ///     Player.filter { $0.name.lowercased == "zoé" }
  ///     // SELECT * FROM "player" WHERE swiftLowercaseString("name") = 'zoé'
  public var lowercased: SQLExpression { DatabaseFunction.lowercase(self) }

  /// The text in upper case, by the rules of Swift's `uppercased()`.
  ///
  ///     Player.select { $0.name.uppercased }
  ///     // SELECT swiftUppercaseString("name") FROM "player"
  public var uppercased: SQLExpression { DatabaseFunction.uppercase(self) }

  #if !WELLSPRING_WITHOUT_ICU
    /// The text with each word capitalized, by the rules of the current locale.
    ///
    ///     Player.select { $0.name.localizedCapitalized }
    ///     // SELECT swiftLocalizedCapitalizedString("name") FROM "player"
    public var localizedCapitalized: SQLExpression { DatabaseFunction.localizedCapitalize(self) }

    /// The text in lower case, by the rules of the current locale.
    ///
    ///     Player.select { $0.name.localizedLowercased }
    ///     // SELECT swiftLocalizedLowercaseString("name") FROM "player"
    public var localizedLowercased: SQLExpression { DatabaseFunction.localizedLowercase(self) }

    /// The text in upper case, by the rules of the current locale.
    ///
    ///     Player.select { $0.name.localizedUppercased }
    ///     // SELECT swiftLocalizedUppercaseString("name") FROM "player"
    public var localizedUppercased: SQLExpression { DatabaseFunction.localizedUppercase(self) }
  #endif
}

extension TypedExpressible where Value.Unwrapped == String {
  /// The text with each word capitalized, by the rules of Swift's `capitalized`.
  ///
  ///     Player.select(TypedColumn<String>("name").capitalized)
  ///     // SELECT swiftCapitalizedString("name") FROM "player"
  public var capitalized: TypedExpression<Value> { TypedExpression(untyped.capitalized) }

  /// The text in lower case, by the rules of Swift's `lowercased()`.
  ///
  ///     Player.filter(TypedColumn<String>("name").lowercased == "zoé")
  ///     // SELECT * FROM "player" WHERE swiftLowercaseString("name") = 'zoé'
  public var lowercased: TypedExpression<Value> { TypedExpression(untyped.lowercased) }

  /// The text in upper case, by the rules of Swift's `uppercased()`.
  ///
  ///     Player.select(TypedColumn<String>("name").uppercased)
  ///     // SELECT swiftUppercaseString("name") FROM "player"
  public var uppercased: TypedExpression<Value> { TypedExpression(untyped.uppercased) }

  #if !WELLSPRING_WITHOUT_ICU
    /// The text with each word capitalized, by the rules of the current locale.
    ///
    ///     Player.select(TypedColumn<String>("name").localizedCapitalized)
    ///     // SELECT swiftLocalizedCapitalizedString("name") FROM "player"
    public var localizedCapitalized: TypedExpression<Value> {
      TypedExpression(untyped.localizedCapitalized)
    }

    /// The text in lower case, by the rules of the current locale.
    ///
    ///     Player.select(TypedColumn<String>("name").localizedLowercased)
    ///     // SELECT swiftLocalizedLowercaseString("name") FROM "player"
    public var localizedLowercased: TypedExpression<Value> {
      TypedExpression(untyped.localizedLowercased)
    }

    /// The text in upper case, by the rules of the current locale.
    ///
    ///     Player.select(TypedColumn<String>("name").localizedUppercased)
    ///     // SELECT swiftLocalizedUppercaseString("name") FROM "player"
    public var localizedUppercased: TypedExpression<Value> {
      TypedExpression(untyped.localizedUppercased)
    }
  #endif
}
