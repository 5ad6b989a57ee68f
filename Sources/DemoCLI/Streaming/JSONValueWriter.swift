internal import CommandLineSupport

/// Writes each value as one line of JSON: see ``JSONLine``.
struct JSONValueWriter: ValueWriter {
  let output: Output
  /// The name of the query, if there are several.
  var query: String?
  var comparesValues: Bool { false }

  mutating func write(_ value: WatchedValue, since previous: WatchedResult?) throws -> Bool {
    var lines = BufferedOutput(output, escapes: .json)
    lines.bytes = JSONLine.encode(value, query: query)
    try lines.flush()
    return true
  }
}
