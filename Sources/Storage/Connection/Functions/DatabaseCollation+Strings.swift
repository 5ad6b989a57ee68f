#if !WELLSPRING_WITHOUT_ICU
  internal import Foundation
#else
  internal import FoundationEssentials
#endif

// The collations of Swift's strings, which all connections have.

extension DatabaseCollation {
  /// Compares with Swift's `<`, for which all Unicode forms of a character are equal.
  ///
  ///     Column("name").collating(.unicodeCompare)
  ///     // "name" COLLATE swiftCompare
  public static let unicodeCompare = DatabaseCollation("swiftCompare") { left, right in
    left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
  }

  #if !WELLSPRING_WITHOUT_ICU
    /// Ignores case.
    ///
    ///     Column("name").collating(.caseInsensitiveCompare) == "zoé"
    ///     // "name" = 'zoé' COLLATE swiftCaseInsensitiveCompare
    public static let caseInsensitiveCompare = DatabaseCollation("swiftCaseInsensitiveCompare") {
      $0.caseInsensitiveCompare($1)
    }

    /// Compares by the rules of the current locale, and ignores case.
    ///
    ///     Column("name").collating(.localizedCaseInsensitiveCompare)
    ///     // "name" COLLATE swiftLocalizedCaseInsensitiveCompare
    public static let localizedCaseInsensitiveCompare = DatabaseCollation(
      "swiftLocalizedCaseInsensitiveCompare"
    ) {
      $0.localizedCaseInsensitiveCompare($1)
    }

    /// Compares by the rules of the current locale.
    ///
    ///     Column("name").collating(.localizedCompare)
    ///     // "name" COLLATE swiftLocalizedCompare
    public static let localizedCompare = DatabaseCollation("swiftLocalizedCompare") {
      $0.localizedCompare($1)
    }

    /// Compares as users expect lists of files to be sorted: digits in strings compare as numbers.
    ///
    ///     Column("name").collating(.localizedStandardCompare)
    ///     // "name" COLLATE swiftLocalizedStandardCompare
    public static let localizedStandardCompare = DatabaseCollation("swiftLocalizedStandardCompare")
    {
      $0.localizedStandardCompare($1)
    }
  #endif

  /// The collations that are added to each connection when it opens.
  static let predefined: [DatabaseCollation] = {
    #if !WELLSPRING_WITHOUT_ICU
      [
        unicodeCompare, caseInsensitiveCompare, localizedCaseInsensitiveCompare, localizedCompare,
        localizedStandardCompare,
      ]
    #else
      [unicodeCompare]
    #endif
  }()
}
