/// The widths of a table's columns in a window.
struct ColumnLayout: Equatable {
  /// The widths of the columns that are shown: the first ones.
  let widths: [Int]
  /// How many columns there is no room for.
  let hiddenCount: Int

  /// The spaces between two columns.
  static let gap = 2

  /// A column is not made narrower than this as long as later ones can be hidden instead.
  private static let minimum = 5

  /// What stands behind the names of the columns when some are hidden.
  var hiddenNote: String { hiddenCount == 0 ? "" : "+\(hiddenCount) …" }

  /// Fits columns into `available` columns of the window. When they do not fit, the widest become
  /// narrower; when that does not help, the last ones are hidden.
  ///
  /// - Parameters:
  ///   - natural: The widths that the contents ask for.
  ///   - available: The columns of the window, of which gaps and the note take their part.
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

  /// The widths, with the widest made narrower until their sum is `room` at most.
  private static func shrunk(_ widths: [Int], to room: Int) -> [Int] {
    var remaining = room
    var result = widths
    // From the narrowest to the widest: each one gets what it asks for, as long as that is no more
    // than an equal share of what is left.
    let order = widths.indices.sorted { widths[$0] < widths[$1] }
    for (position, index) in order.enumerated() {
      result[index] = min(widths[index], remaining / (order.count - position))
      remaining -= result[index]
    }
    return result
  }
}
