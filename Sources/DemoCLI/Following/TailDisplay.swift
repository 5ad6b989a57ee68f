internal import CommandLineSupport
internal import Storage

/// Writes the new rows of a table whenever its last row id changes.
struct TailDisplay: Display {
  private let file: WatchedFile
  private var identity: WatchedFile.Identity?
  private var reader: TailReader
  private let format: OutputFormat
  private let output: Output
  /// The number of rows after which the display is complete, if it is limited.
  private let limit: Int?
  private let report: (String) -> Void
  private var writer: (columns: [String], rows: any RowWriter)?
  private var writtenCount = 0
  /// The problems that were reported since rows were read last, which are not reported again.
  private var problems: Set<String> = []

  init(
    file: WatchedFile,
    reader: TailReader,
    format: OutputFormat,
    limit: Int?,
    output: Output = .standardOutput,
    report: @escaping (String) -> Void = Tool.complain
  ) {
    self.file = file
    identity = file.identity
    self.reader = reader
    self.format = format
    self.limit = limit
    self.output = output
    self.report = report
  }

  var isComplete: Bool { limit.map { writtenCount >= $0 } ?? false }

  mutating func show(_ value: WatchedValue) throws {
    if let newIdentity = file.identity, newIdentity != identity {
      identity = newIdentity
      report("\(file.path) was replaced: its rows are printed from the first one on")
      reader.restart()
    }
    var page: TailReader.Page
    repeat {
      do {
        page = try reader.next()
      } catch  where reader.isMissing || file.identity != identity {
        // The table or the file has gone since the value was fetched. Another one can come.
        return try show(problem: file.message(for: error))
      }
      problems = []
      if page.isOfNewTable {
        report("\(reader.table.name) was made again: its rows are printed from the first one on")
      }
      try write(page)
    } while page.isFull && !isComplete
  }

  private mutating func write(_ page: TailReader.Page) throws {
    guard !page.rows.isEmpty else { return }
    if writer?.columns != page.columns {
      writer = (page.columns, makeWriter(columns: page.columns))
    }
    let room = limit.map { $0 - writtenCount } ?? .max
    for row in page.rows.prefix(room) { try writer?.rows.write(row) }
    try writer?.rows.finish()
    writtenCount += min(room, page.rows.count)
  }

  private func makeWriter(columns: [String]) -> any RowWriter {
    // A table would be written when its last row is known, which never is.
    format == .table
      ? ColumnLineWriter(columns: columns, output: output)
      : format.makeWriter(columns: columns, to: output)
  }

  mutating func show(problem: String) throws {
    reader.noteProblem()
    if problems.insert(problem).inserted { report(problem) }
  }

  mutating func redraw() throws {}

  mutating func release() throws {}
}
