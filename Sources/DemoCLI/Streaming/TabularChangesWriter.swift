internal import Storage

/// Writes the rows that change as rows with their number, time and kind of change.
struct TabularChangesWriter: ValueWriter {
  private let makeWriter: ([String]) -> any RowWriter
  /// The name of the query, if there are several: the first column.
  private let query: String?
  private let now: () -> String
  /// The writer, which has written a header with these columns.
  private var current: (columns: [String], writer: any RowWriter)?

  init(
    query: String? = nil,
    now: @escaping () -> String = ClockTime.utc,
    makeWriter: @escaping ([String]) -> any RowWriter
  ) {
    self.query = query
    self.now = now
    self.makeWriter = makeWriter
  }

  var comparesValues: Bool { true }

  mutating func write(_ value: WatchedValue, since previous: WatchedResult?) throws -> Bool {
    guard let previous else { return false }
    let changes = RowDiff.changes(to: value.result, since: previous)
    guard !changes.isEmpty else { return false }
    let columns = value.result.columns
    let names = query == nil ? [] : ["query"]
    let query = query.map { [$0.databaseValue] } ?? []
    if current?.columns != columns {
      current = (columns, makeWriter(names + ["number", "time", "change"] + columns))
    }
    let number = Int64(clamping: value.number).databaseValue
    let time = now().databaseValue
    for change in changes {
      try current?.writer.write(
        query + [number, time, change.name.databaseValue] + change.values
      )
    }
    try current?.writer.finish()
    return true
  }

  /// The columns of another query stand above: the next rows need a header again.
  mutating func interrupt() { current = nil }
}
