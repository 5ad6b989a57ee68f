/// The column names of a result, shared by all of its rows.
@usableFromInline
final class RowLayout: Sendable {
  let columnNames: [String]
  private let lowercasedNames: [String]
  /// For each column, whether another column has the same name; empty when all names are unique.
  private let isDuplicate: [Bool]

  init(columnNames: [String]) {
    self.columnNames = columnNames
    let names = columnNames.map(\.asciiLowercased)
    lowercasedNames = names
    isDuplicate =
      Set(names).count == names.count
      ? [] : names.map { name in names.count { $0 == name } > 1 }
  }

  /// Returns the leftmost column named `name`, ignoring case.
  func index(ofColumn name: String) -> Int? {
    lowercasedNames.firstIndex(of: name.asciiLowercased)
  }

  /// Whether several columns have the same name.
  var hasDuplicates: Bool { !isDuplicate.isEmpty }

  /// Returns whether another column has the same name as this column.
  @usableFromInline
  func isAmbiguous(_ column: Int) -> Bool { !isDuplicate.isEmpty && isDuplicate[column] }
}

/// Finds columns by name, and caches the result of each row's n-th lookup.
///
/// All rows of a result are read by the same code, which looks up the same names in the same order.
/// So the name of the n-th lookup is compared with the name of the n-th lookup in the previous row.
/// The comparison uses the sixteen bytes of the `String` itself: the text of a short string, or the
/// address of a long one. The cached string keeps that address from being reused for another text.
/// This takes a half to a quarter of the time of comparing texts or using a dictionary.
///
/// The state is behind a pointer because reference counting would double the time of a lookup. The
/// row or the decoding that creates a lookup must deallocate it.
@usableFromInline
struct ColumnLookup {
  @usableFromInline
  struct Slot {
    let name: String
    @usableFromInline let bits: (UInt64, UInt64)
    @usableFromInline let column: Int
  }

  @usableFromInline
  struct State {
    let layout: RowLayout
    let capacity: Int
    @usableFromInline let slots: UnsafeMutablePointer<Slot>
    @usableFromInline var count = 0
    @usableFromInline var ordinal = 0
  }

  // Used only by the access to which the row is confined. The slots follow in the same memory.
  @usableFromInline let state: UnsafeMutablePointer<State>

  init(layout: RowLayout) {
    // There are more names than columns only when a caller creates new strings for each row.
    let capacity = min(2 * layout.columnNames.count, 256)
    // One allocation holds both: many rows are read once, and then it takes as long as the reading.
    let alignment = max(MemoryLayout<State>.alignment, MemoryLayout<Slot>.alignment)
    let offset = (MemoryLayout<State>.size + alignment - 1) / alignment * alignment
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: offset + capacity * MemoryLayout<Slot>.stride,
      alignment: alignment
    )
    let slots = (memory + offset).bindMemory(to: Slot.self, capacity: capacity)
    state = memory.initializeMemory(
      as: State.self,
      to: State(layout: layout, capacity: capacity, slots: slots)
    )
  }

  func deallocate() {
    state.pointee.slots.deinitialize(count: state.pointee.count)
    state.deinitialize(count: 1)
    UnsafeMutableRawPointer(state).deallocate()
  }

  /// Starts the lookups of a new row.
  @inlinable
  func rewind() { state.pointee.ordinal = 0 }

  /// Returns the leftmost column named `name`, or `nil` when no column has that name.
  @inlinable
  func column(_ name: String) -> Int? {
    let position = state.pointee.ordinal
    state.pointee.ordinal = position &+ 1
    let bits = unsafeBitCast(name, to: (UInt64, UInt64).self)
    let slots = state.pointee.slots
    if position < state.pointee.count, slots[position].bits.0 == bits.0,
      slots[position].bits.1 == bits.1
    {
      return slots[position].column
    }
    return find(name, bits)
  }

  /// Searches the cached names in any order, and then all column names.
  @usableFromInline
  func find(_ name: String, _ bits: (UInt64, UInt64)) -> Int? {
    let (slots, count) = (state.pointee.slots, state.pointee.count)
    for position in 0..<count where slots[position].bits == bits { return slots[position].column }
    guard let column = state.pointee.layout.index(ofColumn: name) else { return nil }
    if count < state.pointee.capacity {
      (slots + count).initialize(to: Slot(name: name, bits: bits, column: column))
      state.pointee.count += 1
    }
    return column
  }
}
