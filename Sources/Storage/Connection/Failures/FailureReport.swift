internal import WellspringPlatform

/// A failure that no caller receives, such as the error of a shared reader's query, or of the
/// maintenance of a file: see ``Database/reportFailure``.
///
/// ```text
/// fetchAll(SELECT * FROM itme): SQLite error 1: no such table: itme - while executing "…"
/// ```
public struct FailureReport: Sendable {
  /// What has failed: the key of a reader, or a file.
  public let source: String

  /// The error. The last one, if the report stands for several failures.
  public let error: any Error

  /// The number of failures that this report stands for.
  ///
  /// The first failure is reported at once, with the count 1. Equal failures that follow within ten
  /// seconds are counted, and reported together, at the latest when a database shuts down: see
  /// ``DatabaseReader/shutDown(within:)``. The counts of all reports add up to the number of
  /// failures.
  public let count: Int

  /// Creates a report, for example to test a function that receives reports.
  public init(source: String, error: any Error, count: Int = 1) {
    self.source = source
    self.error = error
    self.count = count
  }

  /// Writes the report to the standard error of the process, as one line that starts with
  /// `wellspring: `.
  ///
  ///     Database.reportFailure = { report in
  ///       failures.increment(by: report.count)
  ///       report.writeToStandardError()
  ///     }
  public func writeToStandardError() {
    StandardError.write("wellspring: \(description)\n")
  }
}

extension FailureReport: CustomStringConvertible {
  /// The longest line that a pipe takes without mixing it with those of other processes is 4,096
  /// bytes.
  private static let maximumLength = 4_000

  /// One line with the source, the error and the count.
  ///
  /// The error is described as it describes itself: a `DatabaseError` omits the arguments of the
  /// SQL.
  public var description: String {
    var line = ""
    for part in [source, ": ", String(describing: error)] {
      // A tab or a line break in SQL is a space like any other.
      line += part.split(whereSeparator: \.isNewline)
        .map { $0.drop(while: \.isWhitespace) }
        .joined(separator: " ")
    }
    if line.utf8.count > Self.maximumLength {
      line = String(decoding: line.utf8.prefix(Self.maximumLength), as: UTF8.self) + "…"
    }
    return count > 1 ? line + " (\(count) times)" : line
  }
}
