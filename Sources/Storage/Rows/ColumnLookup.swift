/// Remembers which column the n-th look-up of each row by name has found.
///
/// The rows of a result are read by the same code, which asks for the same names in the same order.
/// So the n-th look-up is compared with the n-th one of the row before: by the sixteen bytes of the
/// `String` itself, which are the text of a short string and the address of a long one. The
/// remembered string keeps that address from being used for another text. Measured against
/// comparing texts or a dictionary, it takes a half to a quarter of the time.
///
/// It is a pointer, because counting references to an object would double the time of a look-up. The
/// row or the decoding that makes a look-up deallocates it.
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

  // Only the access that the row is confined to touches it.
  @usableFromInline let state: UnsafeMutablePointer<State>

  init(layout: RowLayout) {
    // More names than columns come from texts that are made anew for each row.
    let capacity = min(2 * layout.columnNames.count, 256)
    state = .allocate(capacity: 1)
    state.initialize(
      to: State(layout: layout, capacity: capacity, slots: .allocate(capacity: max(capacity, 1)))
    )
  }

  func deallocate() {
    state.pointee.slots.deinitialize(count: state.pointee.count)
    state.pointee.slots.deallocate()
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Begins a new row.
  @inlinable
  func rewind() { state.pointee.ordinal = 0 }

  /// The leftmost column called `name`, or `nil` when there is none.
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

  /// Looks among the names that are known in whatever order, and then among all.
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
