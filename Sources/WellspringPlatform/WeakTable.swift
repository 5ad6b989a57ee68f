/// The living objects of a kind, by what identifies them: whoever asks with an equal identity gets the
/// same object, for as long as somebody holds it.
///
/// Identities hash and compare themselves outside of the lock, because that is other people's code.
package final class WeakTable: Sendable {
  private struct Entry: @unchecked Sendable {
    // Safe to share: identities are Sendable, which their type-erased form does not say.
    let identity: AnyHashable
    /// Its place in the order of insertions.
    var number: UInt64 = 0
    /// Which object it is, as long as it lives.
    let objectID: ObjectIdentifier
    weak var object: AnyObject?
  }

  private struct State {
    var entries: [Int: [Entry]] = [:]
    /// Counts the insertions, so that one that has come between is noticed.
    var insertions: UInt64 = 0
    /// How many entries there may be before dead ones are looked for.
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

    /// All entries when there are many, so that dead ones are looked for.
    mutating func entriesToCheck() -> [Int: [Entry]] {
      guard count >= limit else { return [:] }
      limit = max(64, 2 * count)
      return entries
    }
  }

  // Guards the table.
  private let state = Lock(State())

  /// Makes an empty table.
  package init() {}

  /// The object of an identity.
  ///
  /// - Parameters:
  ///   - identity: A Sendable value.
  ///   - isUsable: Whether an object of the table can still be used. Another one replaces it if not.
  ///   - make: Makes the object when there is none. It is called once at most, and what it makes may
  ///     be dropped, when somebody else is faster.
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

  /// Removes an object, which may be ending: nobody gets it any more.
  ///
  /// - Parameters:
  ///   - object: Which one. Its memory is not given back yet.
  ///   - hash: The hash of its identity.
  package func remove(_ object: ObjectIdentifier, hash: Int) {
    // Its identity is released outside of the lock.
    let removed = state.withLock { state in
      state.remove(hash: hash) { $0.objectID == object }
    }
    withExtendedLifetime(removed) {}
  }

  /// Removes the entries of objects that are gone. To look whether one is keeps it alive, so that it may
  /// end here: outside of the lock.
  private func removeDead(_ candidates: [Int: [Entry]]) {
    guard !candidates.isEmpty else { return }
    for (hash, entries) in candidates {
      for entry in entries where entry.object == nil {
        // By its number: another object may have taken its place in memory.
        let removed = state.withLock { state in
          state.remove(hash: hash) { $0.number == entry.number }
        }
        withExtendedLifetime(removed) {}
      }
    }
    state.withLock { $0.limit = max(64, 2 * $0.count) }
  }
}
