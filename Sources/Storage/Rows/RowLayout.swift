/// The names of the columns of a result, shared by all of its rows.
@usableFromInline
final class RowLayout: Sendable {
  let columnNames: [String]

  init(columnNames: [String]) {
    self.columnNames = columnNames
  }

  /// The leftmost column called `name`: an exact match wins over one in another case.
  func index(ofColumn name: String) -> Int? {
    if let index = columnNames.firstIndex(of: name) { return index }
    let lowercased = name.asciiLowercased
    return columnNames.firstIndex { $0.asciiLowercased == lowercased }
  }

  /// All columns called `name`, in whatever case.
  func indexes(ofColumn name: String) -> [Int] {
    let lowercased = name.asciiLowercased
    return columnNames.indices.filter { columnNames[$0].asciiLowercased == lowercased }
  }
}

/// Remembers which column the n-th look-up of each row by name has found.
///
/// The rows of a result are read by the same code, which asks for the same names in the same order.
/// So the n-th look-up is compared with the n-th one of the row before: by the sixteen bytes of the
/// `String` itself, which are the text of a short string and the address of a long one. The
/// remembered string keeps that address from being used for another text. Measured against
/// comparing texts or a dictionary, it takes a half to a quarter of the time.
struct ColumnLookup {
  private struct Slot {
    let name: String
    let bits: StringBits
    let index: Int
  }

  private typealias StringBits = (UInt64, UInt64)

  private var slots: [Slot] = []
  private var ordinal = 0

  /// Begins a new row.
  mutating func rewind() { ordinal = 0 }

  /// The leftmost column of `layout` called `name`.
  mutating func index(ofColumn name: String, in layout: RowLayout) -> Int? {
    let position = ordinal
    ordinal += 1
    let bits = Self.bits(of: name)
    if position < slots.count, slots[position].bits == bits { return slots[position].index }
    // Another order than in the first row: the name is remembered at another place.
    if let known = slots.first(where: { $0.bits == bits }) { return known.index }
    guard let index = layout.index(ofColumn: name) else { return nil }
    // More names than columns come from names that are made anew for each row: stop to learn.
    if slots.count <= 2 * layout.columnNames.count {
      slots.append(Slot(name: name, bits: bits, index: index))
    }
    return index
  }

  private static func bits(of name: String) -> StringBits {
    precondition(MemoryLayout<String>.size == MemoryLayout<StringBits>.size)
    return unsafeBitCast(name, to: StringBits.self)
  }
}
