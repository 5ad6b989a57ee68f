/// The name that a misspelled name may mean.
package enum Suggestion {
  /// Returns ` (did you mean NAME?)` for the nearest of some names; an empty text if none is near.
  package static func hint(for word: String, in names: some Sequence<String>) -> String {
    nearest(to: word, in: names).map { " (did you mean \($0)?)" } ?? ""
  }

  /// Returns the name that differs least from a word, if it differs by few characters.
  package static func nearest(to word: String, in names: some Sequence<String>) -> String? {
    // Of names that are not typed by hand, only a part is compared.
    let word = word.lowercased().prefix(60)
    // Of a name of two letters, each other one is near.
    let limit = word.count < 3 ? 0 : max(1, word.count / 3)
    let distances = names.map { name in
      (name, distance(Array(word), Array(name.lowercased().prefix(60))))
    }
    let best = distances.min { $0.1 < $1.1 }
    return best.flatMap { $0.1 <= limit ? $0.0 : nil }
  }

  /// Returns the number of characters to insert, remove, replace or swap with the next one.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let isSame = left[row] == right[column]
        var cost = min(
          last[column] + (isSame ? 0 : 1),
          last[column + 1] + 1,
          current[column] + 1
        )
        let isSwap =
          row > 0 && column > 0 && left[row] == right[column - 1] && left[row - 1] == right[column]
        if isSwap { cost = min(cost, beforeLast[column - 1] + 1) }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
