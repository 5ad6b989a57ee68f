/// Remembers which column the n-th look-up of each row by name has found.
///
/// The rows of a result are read by the same code, which asks for the same names in the same order.
/// So the n-th look-up is compared with the n-th one of the row before: by the sixteen bytes of the
/// `String` itself, which are the text of a short string and the address of a long one. The
/// remembered string keeps that address from being used for another text. Measured against
/// comparing texts or a dictionary, it takes a half to a quarter of the time.
@usableFromInline
final class ColumnLookup {
  @usableFromInline
  struct Slot {
    let name: String
    @usableFromInline let bits: (UInt64, UInt64)
    @usableFromInline let column: Int
  }

  let layout: RowLayout
  // Only the access that the row is confined to touches these. The dynamic checks of exclusive access
  // would take longer than the look-up.
  @usableFromInline let slots: UnsafeMutablePointer<Slot>
  @exclusivity(unchecked) @usableFromInline var count = 0
  @exclusivity(unchecked) @usableFromInline var ordinal = 0
  private let capacity: Int

  init(layout: RowLayout) {
    self.layout = layout
    // More names than columns come from texts that are made anew for each row.
    capacity = min(2 * layout.columnNames.count, 256)
    slots = .allocate(capacity: max(capacity, 1))
  }

  deinit {
    slots.deinitialize(count: count)
    slots.deallocate()
  }

  /// Begins a new row.
  @inlinable
  func rewind() { ordinal = 0 }

  /// The leftmost column called `name`, or `nil` when there is none.
  @inlinable
  func column(_ name: String) -> Int? {
    let position = ordinal
    ordinal = position &+ 1
    let bits = unsafeBitCast(name, to: (UInt64, UInt64).self)
    if position < count, slots[position].bits.0 == bits.0, slots[position].bits.1 == bits.1 {
      return slots[position].column
    }
    return find(name, bits)
  }

  /// Looks among the names that are known in whatever order, and then among all.
  @usableFromInline
  func find(_ name: String, _ bits: (UInt64, UInt64)) -> Int? {
    for position in 0..<count where slots[position].bits == bits { return slots[position].column }
    guard let column = layout.index(ofColumn: name) else { return nil }
    if count < capacity {
      (slots + count).initialize(to: Slot(name: name, bits: bits, column: column))
      count += 1
    }
    return column
  }
}
