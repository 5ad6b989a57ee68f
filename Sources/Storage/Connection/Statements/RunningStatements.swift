/// The statements of a connection that were started and not yet reset.
///
/// It is a chain through ``Statement/outerStatement``, which begins with the statement that was
/// started last. Nearly always there is just one. The chain keeps no statement alive, because
/// counting references would take some percent of the time of an insertion: each run does that, for
/// as long as it lasts.
package struct RunningStatements {
  /// The beginning of the chain.
  private var first: Unmanaged<Statement>?

  /// The statement that was started last.
  package var last: Statement? { first?.takeUnretainedValue() }

  var isEmpty: Bool { first == nil }

  /// Adds a statement that starts. It must be removed before it is deallocated.
  mutating func append(_ statement: Statement) {
    statement.outerStatement = first
    first = Unmanaged.passUnretained(statement)
  }

  /// Removes a statement that has ended. A statement that does not run is ignored.
  @inline(__always)
  mutating func remove(_ statement: Statement) {
    if first?.toOpaque() == Unmanaged.passUnretained(statement).toOpaque() {
      first = statement.outerStatement
      statement.outerStatement = nil
    } else {
      removeInner(statement)
    }
  }

  /// Removes a statement that was not started last.
  @inline(never)
  private func removeInner(_ statement: Statement) {
    let removed = Unmanaged.passUnretained(statement).toOpaque()
    var inner = last
    while let next = inner?.outerStatement, next.toOpaque() != removed {
      inner = next.takeUnretainedValue()
    }
    inner?.outerStatement = statement.outerStatement
    statement.outerStatement = nil
  }

  /// Returns whether a running statement fulfils a condition.
  package func contains(where condition: (Statement) -> Bool) -> Bool {
    var next = last
    while let statement = next {
      if condition(statement) { return true }
      next = statement.outerStatement?.takeUnretainedValue()
    }
    return false
  }
}
