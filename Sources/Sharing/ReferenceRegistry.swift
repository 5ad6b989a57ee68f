internal import WellspringPlatform

/// The references that are alive, by key: readers with equal keys get the same one.
///
/// Keys hash and compare themselves outside of the lock, because that is their authors' code.
final class ReferenceRegistry: Sendable {
  static let shared = ReferenceRegistry()

  fileprivate struct Entry: @unchecked Sendable {
    // Safe to share: identities are Sendable, which their type-erased form does not say.
    let id: AnyHashable
    weak var reference: AnyObject?
  }

  fileprivate struct State {
    var entries: [Int: [Entry]] = [:]
    /// Counts the insertions, so that one that has come between is noticed.
    var insertions: UInt64 = 0
    /// How many entries there may be before dead ones are looked for.
    var limit = 64
    var count = 0
  }

  // Guards the table.
  private let state = Lock(State())

  /// The reference of a key. A new one is made when there is none; it has not been started.
  func reference<Value>(
    for key: some SharedReaderKey<Value>,
    initialValue: () -> Value
  ) -> SharedReference<Value> {
    // Two keys of different types are different, though their identities may be equal.
    let id = AnyHashable(KeyIdentity(type: ObjectIdentifier(type(of: key)), id: key.id))
    let hash = id.hashValue
    var new: SharedReference<Value>?
    while true {
      let (entries, insertions) = state.withLock { ($0.entries[hash] ?? [], $0.insertions) }
      for entry in entries where entry.id == id {
        if let known = entry.reference as? SharedReference<Value> { return known }
      }
      let reference = new ?? SharedReference(initialValue: initialValue(), key: key)
      new = reference
      let entry = Entry(id: id, reference: reference)
      let isInserted = state.withLock { state in
        guard state.insertions == insertions else { return false }
        state.insert(entry, hash: hash)
        return true
      }
      if isInserted { return reference }
    }
  }

  private struct KeyIdentity<ID: Hashable>: Hashable {
    let type: ObjectIdentifier
    let id: ID
  }
}

extension ReferenceRegistry.State {
  /// Adds an entry, and drops those whose reference is gone when there are many.
  fileprivate mutating func insert(_ entry: ReferenceRegistry.Entry, hash: Int) {
    insertions += 1
    if count >= limit {
      entries = entries.compactMapValues { entries in
        let living = entries.filter { $0.reference != nil }
        return living.isEmpty ? nil : living
      }
      count = entries.values.reduce(0) { $0 + $1.count }
      limit = max(64, 2 * count)
    }
    entries[hash, default: []].append(entry)
    count += 1
  }
}
