/// The living objects of a kind, by what identifies them: whoever asks with an equal identity gets the
/// same object, for as long as somebody holds it.
///
/// Identities hash and compare themselves outside of the lock, because that is other people's code.
package final class WeakTable: Sendable {
  private struct Entry: @unchecked Sendable {
    // Safe to share: identities are Sendable, which their type-erased form does not say.
    let identity: AnyHashable
    weak var object: AnyObject?
  }

  private struct State {
    var entries: [Int: [Entry]] = [:]
    /// Counts the insertions, so that one that has come between is noticed.
    var insertions: UInt64 = 0
    /// How many entries there may be before dead ones are looked for.
    var limit = 64
    var count = 0

    /// Adds an entry, and drops those whose object is gone when there are many.
    mutating func insert(_ entry: Entry, hash: Int) {
      insertions += 1
      if count >= limit {
        entries = entries.compactMapValues { entries in
          let living = entries.filter { $0.object != nil }
          return living.isEmpty ? nil : living
        }
        count = entries.values.reduce(0) { $0 + $1.count }
        limit = max(64, 2 * count)
      }
      entries[hash, default: []].append(entry)
      count += 1
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
      let entry = Entry(identity: identity, object: object)
      let isInserted = state.withLock { state in
        guard state.insertions == insertions else { return false }
        state.insert(entry, hash: hash)
        return true
      }
      if isInserted { return object }
    }
  }
}
