internal import Synchronization

/// Values that are found out once for each type, or for each object.
///
/// A lookup takes no lock: entries are added, and never changed or removed.
final class ValuesByIdentity<Value: Sendable>: @unchecked Sendable {
  // Safe to share: the memory holds atomics, and is never freed.

  private final class Entry: Sendable {
    let identity: ObjectIdentifier
    let value: Value
    /// The address of the entry that was the first one before; 0 for none.
    let next: UInt

    init(_ identity: ObjectIdentifier, _ value: Value, next: UInt) {
      self.identity = identity
      self.value = value
      self.next = next
    }
  }

  private let listCount = 256
  /// Lists of entries, by the addresses of the types' metadata, or of the objects.
  private let lists: UnsafeMutablePointer<Atomic<UInt>>

  init() {
    lists = .allocate(capacity: listCount)
    for index in 0..<listCount { (lists + index).initialize(to: Atomic(0)) }
  }

  /// Returns the value of a type.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - find: Finds the value. Threads that find it at the same time all use one of their values.
  /// - Returns: The value.
  func value(of type: Any.Type, find: () -> Value) -> Value {
    let identity = ObjectIdentifier(type)
    return value(of: identity) ?? add(find(), of: identity)
  }

  /// Returns the value of a type or of an object; `nil` if none was added.
  func value(of identity: ObjectIdentifier) -> Value? {
    Self.value(of: identity, from: list(of: identity).pointee.load(ordering: .acquiring))
  }

  private func list(of identity: ObjectIdentifier) -> UnsafeMutablePointer<Atomic<UInt>> {
    // The upper bits of the product depend on all bits of the address.
    lists + Int((UInt(bitPattern: identity) &* 0x9E37_79B9_7F4A_7C15) >> (UInt.bitWidth - 8))
  }

  private static func value(of identity: ObjectIdentifier, from first: UInt) -> Value? {
    var address = first
    while let pointer = UnsafeRawPointer(bitPattern: address) {
      let entry = Unmanaged<Entry>.fromOpaque(pointer).takeUnretainedValue()
      if entry.identity == identity { return entry.value }
      address = entry.next
    }
    return nil
  }

  /// Adds the value of a type or of an object, unless another thread has. An object must live as
  /// long as its value.
  ///
  /// - Returns: The value that was added first.
  func add(_ value: Value, of identity: ObjectIdentifier) -> Value {
    let list = list(of: identity)
    var first = list.pointee.load(ordering: .acquiring)
    while true {
      if let known = Self.value(of: identity, from: first) { return known }
      let entry = Unmanaged.passRetained(Entry(identity, value, next: first))
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
