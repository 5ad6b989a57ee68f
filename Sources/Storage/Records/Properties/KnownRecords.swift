internal import Synchronization

/// The record types whose properties have been looked up.
///
/// A lookup takes no lock: entries are added, and never changed or removed.
enum KnownRecords {
  private final class Entry: Sendable {
    let type: ObjectIdentifier
    let properties: RecordProperties
    /// The address of the entry that was the first one before; 0 for none.
    let next: UInt

    init(_ type: ObjectIdentifier, _ properties: RecordProperties, next: UInt) {
      self.type = type
      self.properties = properties
      self.next = next
    }
  }

  /// Lists of entries, by the addresses of the types' metadata.
  private struct Lists: @unchecked Sendable {
    // Safe to share: the memory holds atomics, and is never freed.
    static let count = 256
    let first: UnsafeMutablePointer<Atomic<UInt>>

    init() {
      first = .allocate(capacity: Self.count)
      for index in 0..<Self.count { (first + index).initialize(to: Atomic(0)) }
    }
  }

  private static let lists = Lists()

  /// Returns the properties of a record type.
  static func properties<Record: Decodable>(of type: Record.Type) -> RecordProperties {
    let identifier = ObjectIdentifier(type)
    let list = lists.first + listIndex(of: identifier)
    let first = list.pointee.load(ordering: .acquiring)
    if let properties = find(identifier, from: first) { return properties }
    return add(RecordProperties(of: type), of: identifier, to: list)
  }

  private static func listIndex(of type: ObjectIdentifier) -> Int {
    // The upper bits of the product depend on all bits of the address.
    Int((UInt(bitPattern: type) &* 0x9E37_79B9_7F4A_7C15) >> (UInt.bitWidth - 8))
  }

  private static func find(_ type: ObjectIdentifier, from first: UInt) -> RecordProperties? {
    var address = first
    while let pointer = UnsafeRawPointer(bitPattern: address) {
      let entry = Unmanaged<Entry>.fromOpaque(pointer).takeUnretainedValue()
      if entry.type == type { return entry.properties }
      address = entry.next
    }
    return nil
  }

  /// Adds an entry, unless another thread has.
  private static func add(
    _ properties: RecordProperties,
    of type: ObjectIdentifier,
    to list: UnsafeMutablePointer<Atomic<UInt>>
  ) -> RecordProperties {
    var first = list.pointee.load(ordering: .acquiring)
    while true {
      if let known = find(type, from: first) { return known }
      let entry = Unmanaged.passRetained(Entry(type, properties, next: first))
      let (added, current) = list.pointee.compareExchange(
        expected: first,
        desired: UInt(bitPattern: entry.toOpaque()),
        ordering: .acquiringAndReleasing
      )
      if added { return properties }
      entry.release()
      first = current
    }
  }
}
