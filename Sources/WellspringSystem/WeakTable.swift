/// Objects with other owners, in the order in which they were added.
///
/// Checking whether an object lives can release its last reference, and its `deinit` may take any
/// lock. So a list that is guarded by a lock is copied out of it and checked, and the dead entries
/// are removed afterwards.
package struct WeakList<Object: Sendable>: Sendable {
  package struct Entry: Sendable {
    fileprivate let number: Int
    private let load: @Sendable () -> Object?

    fileprivate init(number: Int, load: @escaping @Sendable () -> Object?) {
      self.number = number
      self.load = load
    }

    /// The object; `nil` when it no longer exists.
    package var object: Object? { load() }
  }

  package private(set) var entries: [Entry] = []
  private var count = 0

  /// Creates an empty list.
  package init() {}

  /// Adds an object, which the closure must hold weakly.
  package mutating func append(_ load: @escaping @Sendable () -> Object?) {
    count += 1
    entries.append(Entry(number: count, load: load))
  }

  /// Returns the entries whose objects no longer exist. To be called outside locks.
  package var dead: Set<Int> { Set(entries.filter { $0.object == nil }.map(\.number)) }

  /// Removes entries.
  package mutating func remove(_ numbers: Set<Int>) {
    entries.removeAll { numbers.contains($0.number) }
  }
}

/// Weak references to shared objects by identity: callers with equal identities get the same
/// object, as long as it is alive.
///
/// Identities are hashed and compared outside the lock, because their `hash(into:)` and `==` are
/// foreign code.
package final class WeakTable: Sendable {
  private struct Entry: @unchecked Sendable {
    // Safe to share: identities are Sendable, which `AnyHashable` does not declare.
    let identity: AnyHashable
    /// The number of the insertion.
    var number: UInt64 = 0
    /// The identifier of the object, which is unique while the object is alive.
    let objectID: ObjectIdentifier
    weak var object: AnyObject?
  }

  private struct State {
    var entries: [Int: [Entry]] = [:]
    /// Counts the insertions, to detect an insertion by another thread.
    var insertions: UInt64 = 0
    /// The number of entries at which to look for entries of deallocated objects.
    var limit = 64
    var count = 0

    mutating func insert(_ entry: Entry, hash: Int) {
      insertions += 1
      var entry = entry
      entry.number = insertions
      entries[hash, default: []].append(entry)
      count += 1
    }

    mutating func remove(hash: Int, where isMeant: (Entry) -> Bool) -> Entry? {
      guard let index = entries[hash]?.firstIndex(where: isMeant) else { return nil }
      defer { if entries[hash]?.isEmpty == true { entries[hash] = nil } }
      count -= 1
      return entries[hash]?.remove(at: index)
    }

    /// Returns the entries to check for deallocated objects: all of them from time to time.
    mutating func entriesToCheck() -> [Int: [Entry]] {
      guard count >= limit else { return [:] }
      limit = max(64, 2 * count)
      return entries
    }
  }

  // Guards the shared objects by identity.
  private let state = Lock(State())

  /// Makes an empty table.
  package init() {}

  /// Returns the object of an identity, and makes it if it does not exist.
  ///
  /// - Parameters:
  ///   - identity: A Sendable value.
  ///   - isUsable: Whether an object of the table can still be used, or must be replaced.
  ///   - make: Makes the object. It is called at most once. The new object is discarded when
  ///     another thread inserts one first.
  /// - Returns: The object in the table.
  package func object<Object: AnyObject>(
    for identity: AnyHashable,
    isUsable: (Object) -> Bool = { _ in true },
    make: () -> Object
  ) -> Object {
    let hash = identity.hashValue
    var new: Object?
    while true {
      let (entries, insertions) = state.withLock { ($0.entries[hash] ?? [], $0.insertions) }
      for entry in entries where entry.identity == identity {
        if let known = entry.object as? Object, isUsable(known) { return known }
      }
      let object = new ?? make()
      new = object
      let id = ObjectIdentifier(object)
      let entry = Entry(identity: identity, objectID: id, object: object)
      let (isInserted, candidates) = state.withLock { state in
        guard state.insertions == insertions else { return (false, [Int: [Entry]]()) }
        state.insert(entry, hash: hash)
        return (true, state.entriesToCheck())
      }
      removeDead(candidates)
      if isInserted { return object }
    }
  }

  /// Removes an object from the table. Its `deinit` may call this.
  ///
  /// - Parameters:
  ///   - object: The identifier of the object, whose memory must not be freed yet.
  ///   - hash: The hash of its identity.
  package func remove(_ object: ObjectIdentifier, hash: Int) {
    // The identity is released outside the lock.
    let removed = state.withLock { state in
      state.remove(hash: hash) { $0.objectID == object }
    }
    withExtendedLifetime(removed) {}
  }

  /// Removes the entries of deallocated objects.
  ///
  /// Reading a weak reference retains the object for a moment, so that its `deinit` may run here.
  /// So this runs outside the lock.
  private func removeDead(_ candidates: [Int: [Entry]]) {
    guard !candidates.isEmpty else { return }
    for (hash, entries) in candidates {
      for entry in entries where entry.object == nil {
        // Compare numbers, because a new object may have the same address as the deallocated one.
        let removed = state.withLock { state in
          state.remove(hash: hash) { $0.number == entry.number }
        }
        withExtendedLifetime(removed) {}
      }
    }
    state.withLock { $0.limit = max(64, 2 * $0.count) }
  }
}
