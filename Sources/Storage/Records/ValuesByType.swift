internal import Synchronization

/// What is found out once for each type.
///
/// A lookup takes no lock: entries are added, and never changed or removed.
final class ValuesByType<Value: Sendable>: @unchecked Sendable {
  // Safe to share: the memory holds atomics, and is never freed.

  private final class Entry: Sendable {
    let type: ObjectIdentifier
    let value: Value
    /// The address of the entry that was the first one before; 0 for none.
    let next: UInt

    init(_ type: ObjectIdentifier, _ value: Value, next: UInt) {
      self.type = type
      self.value = value
      self.next = next
    }
  }

  private let listCount = 256
  /// Lists of entries, by the addresses of the types' metadata.
  private let lists: UnsafeMutablePointer<Atomic<UInt>>

  init() {
    lists = .allocate(capacity: listCount)
    for index in 0..<listCount { (lists + index).initialize(to: Atomic(0)) }
  }

  /// Returns the value of a type.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - find: Finds the value. Threads that find it at the same time use that of one of them.
  /// - Returns: The value.
  func value(of type: Any.Type, find: () -> Value) -> Value {
    let type = ObjectIdentifier(type)
    let list = lists + Self.listIndex(of: type)
    let first = list.pointee.load(ordering: .acquiring)
    return Self.value(of: type, from: first) ?? add(find(), of: type, to: list)
  }

  private static func listIndex(of type: ObjectIdentifier) -> Int {
    // The upper bits of the product depend on all bits of the address.
    Int((UInt(bitPattern: type) &* 0x9E37_79B9_7F4A_7C15) >> (UInt.bitWidth - 8))
  }

  private static func value(of type: ObjectIdentifier, from first: UInt) -> Value? {
    var address = first
    while let pointer = UnsafeRawPointer(bitPattern: address) {
      let entry = Unmanaged<Entry>.fromOpaque(pointer).takeUnretainedValue()
      if entry.type == type { return entry.value }
      address = entry.next
    }
    return nil
  }

  /// Adds an entry, unless another thread has.
  private func add(
    _ value: Value,
    of type: ObjectIdentifier,
    to list: UnsafeMutablePointer<Atomic<UInt>>
  ) -> Value {
    var first = list.pointee.load(ordering: .acquiring)
    while true {
      if let known = Self.value(of: type, from: first) { return known }
      let entry = Unmanaged.passRetained(Entry(type, value, next: first))
      let (added, current) = list.pointee.compareExchange(
        expected: first,
        desired: UInt(bitPattern: entry.toOpaque()),
        ordering: .acquiringAndReleasing
      )
      if added { return value }
      entry.release()
      first = current
    }
  }
}
