/// Finds the observations that look for a value in a column.
struct ValueIndex {
  typealias ID = QueryID

  /// The observations of a value: most of the time, there is one.
  private enum Observations {
    case one(ID)
    case several(Set<ID>)
  }

  private var values: [ValueKey: Observations] = [:]
  private var ranges = RangeIndex()

  var isEmpty: Bool { values.isEmpty && ranges.isEmpty }

  /// Adds an observation of values.
  mutating func insert(_ id: ID, _ range: ValueRange) {
    guard let key = range.onlyKey else { return ranges.insert(id, range) }
    guard let place = values.index(forKey: key) else {
      values[key] = .one(id)
      return
    }
    switch values.values[place] {
    case .one(let other): values.values[place] = .several([other, id])
    case .several(var ids):
      // The set must have one owner, or it is copied.
      values.values[place] = .one(id)
      ids.insert(id)
      values.values[place] = .several(ids)
    }
  }

  /// Removes an observation of values.
  ///
  /// - Returns: Whether no observation is left.
  mutating func remove(_ id: ID, _ range: ValueRange) -> Bool {
    if let key = range.onlyKey { remove(id, key) } else { ranges.remove(id, range) }
    return isEmpty
  }

  private mutating func remove(_ id: ID, _ key: ValueKey) {
    guard let place = values.index(forKey: key) else { return }
    guard case .several(var ids) = values.values[place] else {
      values.remove(at: place)
      return
    }
    values.values[place] = .one(id)
    ids.remove(id)
    if ids.isEmpty { values.remove(at: place) } else { values.values[place] = .several(ids) }
  }

  /// Calls a closure with each observation of a value.
  func forEach(of key: ValueKey, _ body: (ID) -> Void) {
    switch values[key] {
    case nil: break
    case .one(let id): body(id)
    case .several(let ids): ids.forEach(body)
    }
    ranges.forEach(containing: key) { $0.forEach(body) }
  }

  /// Calls a closure with each observation, once or more often.
  func forEach(_ body: (ID) -> Void) {
    for observations in values.values {
      switch observations {
      case .one(let id): body(id)
      case .several(let ids): ids.forEach(body)
      }
    }
    ranges.forEach { $0.forEach(body) }
  }
}
