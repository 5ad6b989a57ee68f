import Testing

/// A place where code that was written for GRDB 7 met a difference, and the outcome today.
struct ParityLine: Sendable, CustomTestStringConvertible {
  enum Outcome: Sendable {
    /// GRDB's spelling compiles and means the same: the closure writes it, and checks its effect.
    case same(@Sendable () async throws -> Void)

    /// The difference stays. The guide "Coming from GRDB" contains the text.
    case documented(String)
  }

  /// The part of the list, and the number in it.
  let place: Place
  let grdb: String
  let outcome: Outcome

  enum Place: Hashable, Sendable {
    case api(Int)
    case behavior(Int)
    case diagnostic(Int)
    /// A test of GRDB's own that showed a defect.
    case defect(Int)
    /// A spelling that tests of GRDB use.
    case spelling(Int)
    /// A difference that tests of GRDB show, which the guide explains.
    case difference(Int)
  }

  /// A spelling of GRDB that has the same meaning here, as `check` shows.
  static func same(
    _ place: Place,
    _ grdb: String,
    _ check: @escaping @Sendable () async throws -> Void
  ) -> ParityLine {
    ParityLine(place: place, grdb: grdb, outcome: .same(check))
  }

  /// A difference that the guide explains in a sentence or row that contains `text`.
  static func documented(_ place: Place, _ grdb: String, _ text: String) -> ParityLine {
    ParityLine(place: place, grdb: grdb, outcome: .documented(text))
  }

  var testDescription: String { grdb }
}
