internal import CommandLineSupport

/// How `watch` writes values when it does not draw them in place.
struct StreamOptions: Equatable {
  /// The format, if one was asked for.
  var format: StreamFormat?
  /// Whether only changed rows are written.
  var onlyChanges = false
  /// The number of values after which the watch ends, if it is limited.
  var count: Int?

  /// The options of the command line that ``named(_:)`` reads.
  static let syntax = ArgumentSyntax(flags: ["once", "changes"], options: ["count", "format"])

  /// Reads the options of a command line; `nil` if it has none.
  ///
  /// - Throws: ``UsageError`` for an invalid value, and for options that exclude each other.
  static func named(_ arguments: ParsedArguments) throws -> StreamOptions? {
    var options = StreamOptions()
    options.format = try arguments.values["format"].map { try .named($0) }
    options.onlyChanges = arguments.flags.contains("changes")
    options.count = try count(arguments)
    if arguments.flags.contains("once") {
      if options.count != nil { throw UsageError("--once and --count exclude each other") }
      if options.onlyChanges {
        throw UsageError("--once and --changes exclude each other: the first value has no changes")
      }
      options.count = 1
    }
    return options == StreamOptions() ? nil : options
  }

  /// Returns the value of `--count`.
  ///
  /// - Throws: ``UsageError`` when it is not a positive number.
  static func count(_ arguments: ParsedArguments) throws -> Int? {
    try arguments.values["count"].map { text in
      guard let count = Int(text), count > 0 else {
        throw UsageError("--count needs a positive number, not \(text)")
      }
      return count
    }
  }

  /// Returns the format, by default one for the place of the output.
  func format(isTerminal: Bool) -> StreamFormat {
    format ?? (isTerminal ? .table : onlyChanges ? .ndjson : .json)
  }
}
