/// The picture on a terminal: the characters at their places after all output.
///
/// It understands the sequences that the tool writes, and fails the precondition at other
/// sequences, so that a new sequence is not overlooked.
struct Picture {
  private(set) var lines: [[Character]]
  private let columns: Int
  private var row = 0
  private var column = 0

  /// Draws the output of a process on a terminal of this size.
  init(of output: String, columns: Int, rows: Int) {
    lines = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    self.columns = columns
    var rest = output.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\r": column = 0
      case "\n": lineFeed()
      case "\u{1B}": perform(Self.sequence(&rest))
      default: put(Character(scalar))
      }
    }
  }

  /// The lines without spaces at their ends, and without empty lines at the end.
  var text: [String] {
    let texts = lines.map { line in
      String(String(line).reversed().drop { $0 == " " }.reversed())
    }
    return Array(texts[..<(1 + (texts.lastIndex { !$0.isEmpty } ?? -1))])
  }

  private static func sequence(_ rest: inout Substring.UnicodeScalarView) -> String {
    var sequence = ""
    while let scalar = rest.popFirst() {
      sequence.unicodeScalars.append(scalar)
      if scalar.properties.isAlphabetic { break }
    }
    return sequence
  }

  private mutating func put(_ character: Character) {
    lines[row][min(column, columns - 1)] = character
    column = min(column + 1, columns)
  }

  private mutating func lineFeed() {
    if row + 1 < lines.count {
      row += 1
    } else {
      lines.removeFirst()
      lines.append(Array(repeating: " ", count: columns))
    }
  }

  private mutating func perform(_ sequence: String) {
    switch (sequence.last, Int(sequence.dropFirst().dropLast())) {
    case ("A", let count): row = max(0, row - (count ?? 1))
    case ("H", nil): (row, column) = (0, 0)
    case ("K", nil): erase(row, from: column)
    case ("J", nil), ("J", 2):
      let isAll = sequence == "[2J"
      erase(row, from: isAll ? 0 : column)
      for index in lines.indices where isAll || index > row { erase(index, from: 0) }
    case ("m", _), ("h", _), ("l", _): break
    default: preconditionFailure("The picture does not know the sequence \(sequence).")
    }
  }

  private mutating func erase(_ row: Int, from column: Int) {
    for index in min(column, columns)..<columns { lines[row][index] = " " }
  }
}
