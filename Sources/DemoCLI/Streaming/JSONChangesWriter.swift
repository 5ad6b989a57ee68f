internal import CommandLineSupport
internal import Storage

/// Writes the rows that change as lines of JSON: one for each row, or one for each value.
///
///     {"number":13,"time":"2026-05-04T10:15:00Z","change":"inserted","row":{"id":3,"name":"pot"}}
///
/// An updated row has its previous values as `old`, as far as they differ. Of several queries,
/// `"query":"item"` comes before the number.
struct JSONChangesWriter: ValueWriter {
  private var output: BufferedOutput
  private let isLinePerRow: Bool
  /// The start of each line.
  private let start: JSONText
  private let now: () -> String

  init(
    output: Output,
    isLinePerRow: Bool,
    query: String? = nil,
    now: @escaping () -> String = ClockTime.utc
  ) {
    var start = JSONText()
    start.append(raw: "{")
    start.appendMember(query: query)
    self.start = start
    self.output = BufferedOutput(output, escapes: .json)
    self.isLinePerRow = isLinePerRow
    self.now = now
  }

  var comparesValues: Bool { true }

  mutating func write(_ value: WatchedValue, since previous: WatchedResult?) throws -> Bool {
    guard let previous else { return false }
    let changes = RowDiff.changes(to: value.result, since: previous)
    guard !changes.isEmpty else { return false }
    let names = JSONNames(columns: value.result.columns)
    var start = start
    start.append(raw: "\"number\":\(value.number),\"time\":\"\(now())\",")
    if isLinePerRow {
      for change in changes {
        var line = start
        line.append(raw: "\"change\":\"\(change.name)\",")
        line.appendMembers(change, names: names)
        line.append(raw: "}\n")
        output.bytes += line.bytes
        try output.writeIfFull()
      }
    } else {
      var line = start
      line.append(raw: "\"changes\":")
      line.appendArray(changes) { text, change in
        text.append(raw: "{\"change\":\"\(change.name)\",")
        text.appendMembers(change, names: names)
        text.append(raw: "}")
      }
      line.append(raw: "}\n")
      output.bytes += line.bytes
    }
    try output.flush()
    return true
  }
}

extension JSONText {
  /// Appends the members `row` and `old` of a change.
  fileprivate mutating func appendMembers(_ change: ResultChange, names: JSONNames) {
    append(raw: "\"row\":")
    append(change.values, names: names)
    guard case .updated(_, let old, let columns) = change else { return }
    append(raw: ",\"old\":{")
    for (position, column) in columns.sorted().enumerated() {
      if position > 0 { append(raw: ",") }
      append(names.names[column])
      append(raw: ":")
      append(old[column])
    }
    append(raw: "}")
  }
}
