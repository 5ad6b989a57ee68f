internal import CommandLineSupport

/// Writes the rows that change as `diff -U0` does, with rows as JSON objects.
///
///     @@ 13 2026-05-04T10:15:00Z @@
///     -{"id":2,"name":"pot"}
///     +{"id":2,"name":"tea pot"}
///
/// Of several queries, the first line ends with the name: `@@ 13 2026-05-04T10:15:00Z item @@`.
struct DiffWriter: ValueWriter {
  private var output: BufferedOutput
  /// Whether nothing is written for the first value; otherwise all its rows are added rows.
  private let skipsFirst: Bool
  /// The name of the query, if there are several.
  private let query: String?
  private let now: () -> String

  init(
    output: Output,
    skipsFirst: Bool,
    query: String? = nil,
    now: @escaping () -> String = ClockTime.utc
  ) {
    self.output = BufferedOutput(output)
    self.skipsFirst = skipsFirst
    self.query = query.map { " " + DisplayText.escaped($0) }
    self.now = now
  }

  var comparesValues: Bool { true }

  mutating func write(_ value: WatchedValue, since previous: WatchedResult?) throws -> Bool {
    if previous == nil, skipsFirst { return false }
    let changes =
      previous.map { RowDiff.changes(to: value.result, since: $0) }
      ?? value.result.rows.map { .inserted($0) }
    guard !changes.isEmpty || previous == nil else { return false }
    let names = JSONNames(columns: value.result.columns)
    var text = JSONText()
    text.append(raw: "@@ \(value.number) \(now())\(query ?? "") @@\n")
    for change in changes {
      switch change {
      case .inserted(let row):
        text.append(raw: "+")
        text.append(row, names: names)
      case .removed(let row):
        text.append(raw: "-")
        text.append(row, names: names)
      case .updated(let row, let old, _):
        text.append(raw: "-")
        text.append(old, names: names)
        text.append(raw: "\n+")
        text.append(row, names: names)
      }
      text.append(raw: "\n")
      output.bytes += text.bytes
      text.bytes.removeAll(keepingCapacity: true)
      try output.writeIfFull()
    }
    output.bytes += text.bytes
    try output.flush()
    return true
  }
}
