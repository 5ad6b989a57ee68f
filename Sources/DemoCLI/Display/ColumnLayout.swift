/// The widths of a table's columns in a window.
struct ColumnLayout: Equatable {
  /// The widths of the shown columns, which are the first columns of the table.
  let widths: [Int]
  /// The number of columns that do not fit.
  let hiddenCount: Int

  /// The spaces between two columns.
  static let gap = 2

  /// The width below which a column is not shrunk as long as later columns can be hidden instead.
  private static let minimum = 5

  /// The note after the column names when columns are hidden.
  var hiddenNote: String { hiddenCount == 0 ? "" : "+\(hiddenCount) …" }

  /// Fits the table's columns into a window.
  ///
  /// If they do not fit, the widest columns are shrunk. If that is not enough, the last columns are
  /// hidden.
  ///
  /// - Parameters:
  ///   - natural: The widths that the contents need.
  ///   - available: The width of the window, including gaps and the note.
  init(natural: [Int], available: Int) {
    let minima = natural.map { min($0, Self.minimum) }
    var shown = natural.count
    var room = available
    while shown > 1, Self.total(minima.prefix(shown)) > room {
      shown -= 1
      room = available - Self.gap - "+\(natural.count - shown) …".count
    }
    hiddenCount = natural.count - shown
    let gaps = Self.gap * max(0, shown - 1)
    widths = Self.shrunk(Array(natural.prefix(shown)), to: max(shown, room - gaps))
  }

  private static func total(_ widths: ArraySlice<Int>) -> Int {
    widths.reduce(0, +) + gap * max(0, widths.count - 1)
  }

  /// Shrinks the widest columns until the sum of the widths is at most `room`.
  private static func shrunk(_ widths: [Int], to room: Int) -> [Int] {
    var remaining = room
    var result = widths
    // From the narrowest to the widest column: each one gets the width that it needs, but at most
    // an equal share of the remaining room.
    let order = widths.indices.sorted { widths[$0] < widths[$1] }
    for (position, index) in order.enumerated() {
      result[index] = min(widths[index], remaining / (order.count - position))
      remaining -= result[index]
    }
    return result
  }
}
