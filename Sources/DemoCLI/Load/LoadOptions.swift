/// What the load generator does.
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
    writers = try Self.count("writers", arguments, in: 1...64) ?? writers
    watchers = try Self.count("watchers", arguments, in: 0...1_000) ?? watchers
  }

  private static func number(
    _ option: String,
    _ arguments: ParsedArguments,
    in range: ClosedRange<Double>
  ) throws -> Double? {
    try arguments.values[option].map { text in
      guard let number = Double(text), range.contains(number) else {
        let bounds = "\(text: range.lowerBound) to \(text: range.upperBound)"
        throw UsageError("--\(option) needs a number from \(bounds), not \(text)")
      }
      return number
    }
  }

  private static func count(
    _ option: String,
    _ arguments: ParsedArguments,
    in range: ClosedRange<Int>
  ) throws -> Int? {
    try arguments.values[option].map { text in
      guard let number = Int(text), range.contains(number) else {
        let bounds = "\(range.lowerBound) to \(range.upperBound)"
        throw UsageError("--\(option) needs a number from \(bounds), not \(text)")
      }
      return number
    }
  }
}

extension String.StringInterpolation {
  /// Appends a number without a needless decimal point.
  fileprivate mutating func appendInterpolation(text number: Double) {
    appendLiteral(number == number.rounded() ? "\(Int(number))" : "\(number)")
  }
}
