internal import CommandLineSupport

/// The widths of a table's columns in a window.
struct ColumnLayout: Equatable {
  /// The widths of the shown columns, which are the first columns of the table.
  let widths: [Int]
  /// The number of columns that do not fit.
  let hiddenCount: Int

  /// The spaces between two columns.
  static let gap = 2

  /// The width down to which a column of text is shrunk before later columns are hidden instead.
  static let readable = 10

  /// The note after the column names when columns are hidden.
  var hiddenNote: String { hiddenCount == 0 ? "" : "+\(hiddenCount) …" }

  /// Fits the table's columns into a window.
  ///
  /// If they do not fit, the widest columns are shrunk. If that is not enough, the last columns are
  /// hidden.
  ///
  /// - Parameters:
  ///   - natural: The widths that the contents need.
  ///   - least: The widths below which a column is hidden rather than shrunk, such as the widths of
  ///     numbers; by default a readable width.
  ///   - available: The width of the window, including gaps and the note.
  init(natural: [Int], least: [Int]? = nil, available: Int) {
    let least = natural.indices.map { column in
      min(natural[column], max(least?[column] ?? 0, Self.readable))
    }
    var shown = natural.count
    var room = available
    while shown > 1, Self.total(least.prefix(shown)) > room {
      shown -= 1
      room = available - Self.gap - "+\(natural.count - shown) …".count
    }
    hiddenCount = natural.count - shown
    let gaps = Self.gap * max(0, shown - 1)
    widths = Self.shrunk(
      Array(natural.prefix(shown)),
      least: Array(least.prefix(shown)),
      to: max(shown, room - gaps)
    )
  }

  private static func total(_ widths: ArraySlice<Int>) -> Int {
    widths.reduce(0, +) + gap * max(0, widths.count - 1)
  }

  /// Shrinks the widest columns until the sum of the widths is at most `room`.
  private static func shrunk(_ widths: [Int], least: [Int], to room: Int) -> [Int] {
    // Each column first gets its least width; if the sum is too large, each gets a part of it.
    let fits = least.reduce(0, +) <= room
    let base = fits ? least : least.map { _ in 0 }
    var remaining = room - base.reduce(0, +)
    var result = widths
    // From the smallest to the largest wish: each column gets the wished width, but at most an
    // equal share of the remaining room.
    let wishes = zip(widths, base).map { $0 - $1 }
    let order = widths.indices.sorted { wishes[$0] < wishes[$1] }
    for (position, index) in order.enumerated() {
      let share = min(wishes[index], remaining / (order.count - position))
      result[index] = base[index] + share
      remaining -= share
    }
    return result
  }
}

/// The widths that the contents of columns need, and the widths below which they become misleading.
struct ColumnWidths: Equatable {
  private(set) var columns: [String]
  private(set) var natural: [Int]
  private(set) var least: [Int]

  /// Creates widths for the names of columns.
  init(columns: [String]) {
    self.columns = columns
    natural = columns.map { max(1, DisplayText($0).width) }
    least = columns.map { _ in 0 }
  }

  /// Makes a column as wide as a cell.
  mutating func fit(_ width: Int, inColumn column: Int, isNumber: Bool) {
    natural[column] = max(natural[column], width)
    if isNumber { least[column] = max(least[column], width) }
  }

  /// Makes columns as wide as in another part of the same result.
  mutating func fit(_ other: ColumnWidths) {
    guard other.columns == columns else { return }
    for column in columns.indices {
      natural[column] = max(natural[column], other.natural[column])
      least[column] = max(least[column], other.least[column])
    }
  }
}
