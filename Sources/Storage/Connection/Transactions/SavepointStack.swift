/// The open savepoints of a transaction, each with the state at its beginning.
///
/// SQLite calls no hook for a rollback to a savepoint, so that the state is kept here. Savepoints
/// of one name can be nested: a name means the innermost one.
/// https://www.sqlite.org/lang_savepoint.html
package struct SavepointStack<State> {
  private var savepoints: [(name: String, state: State)] = []

  package init() {}

  package var isEmpty: Bool { savepoints.isEmpty }

  package mutating func removeAll() {
    if !savepoints.isEmpty { savepoints = [] }
  }

  /// Begins a savepoint.
  package mutating func begin(_ name: String, _ state: State) { savepoints.append((name, state)) }

  /// Ends a savepoint and those inside it.
  ///
  /// - Returns: Whether a savepoint had that name.
  @discardableResult
  package mutating func release(_ name: String) -> Bool {
    guard let index = savepoints.lastIndex(where: { $0.name == name }) else { return false }
    savepoints.removeSubrange(index...)
    return true
  }

  /// Returns whether a name means the outermost savepoint.
  package func isOutermost(_ name: String) -> Bool {
    savepoints.lastIndex { $0.name == name } == 0
  }

  #if WELLSPRING_FAULTS
    /// Returns the state at the beginning of the outermost savepoint; `nil` if no savepoint has the
    /// name.
    func outermostState(around name: String) -> State? {
      savepoints.contains { $0.name == name } ? savepoints[0].state : nil
    }
  #endif

  /// Ends the savepoints inside one, which stays open.
  ///
  /// - Returns: The state at its beginning; `nil` if no savepoint has that name.
  package mutating func rollBack(to name: String) -> State? {
    guard let index = savepoints.lastIndex(where: { $0.name == name }) else { return nil }
    savepoints.removeSubrange((index + 1)...)
    return savepoints[index].state
  }
}
