internal import CommandLineSupport

/// The options of the load generator.
struct LoadOptions: Equatable, Sendable {
  /// How long it writes, in seconds.
  var seconds = 5.0
  /// The number of threads that write.
  var writers = 1
  /// The number of transactions that start in each second, of all writers together; `nil` for as
  /// many as possible.
  var rate: Double?
  /// The number of observations of the table that is written.
  var watchers = 1

  static let syntax = ArgumentSyntax(options: ["seconds", "writers", "rate", "watchers"])

  init() {}

  /// Reads the options of a command line.
  ///
  /// - Throws: ``UsageError`` for an invalid value.
  init(_ arguments: ParsedArguments) throws {
    seconds = try Self.number("seconds", arguments, in: 0.1...86_400) ?? seconds
    rate = try Self.number("rate", arguments, in: 0.1...1_000_000)
    writers = try Self.number("writers", arguments, in: 1...64) ?? writers
    watchers = try Self.number("watchers", arguments, in: 0...1_000) ?? watchers
  }

  private static func number<Number: LosslessStringConvertible & Comparable>(
    _ option: String,
    _ arguments: ParsedArguments,
    in range: ClosedRange<Number>
  ) throws -> Number? {
    try arguments.values[option].map { text in
      guard let number = Number(text), range.contains(number) else {
        let bounds = "\(bound: range.lowerBound) to \(bound: range.upperBound)"
        throw UsageError("--\(option) needs a number from \(bounds), not \(text)")
      }
      return number
    }
  }
}

extension String.StringInterpolation {
  /// Appends a number without a needless decimal point.
  fileprivate mutating func appendInterpolation(bound number: some LosslessStringConvertible) {
    appendLiteral(number.description.replacing(/\.0$/, with: ""))
  }
}
