/// A run of a statement.
@usableFromInline
struct RunState {
  /// How the library runs a statement to whose columns it has added its own.
  struct Options {
    /// How many of the last columns rows do not show.
    var hiddenColumnCount: Int32 = 0
    /// Whether the last column, which is hidden, is the row id to keep in ``returnedRowID``.
    var returnsRowID = false
  }

  /// Whether the statement was started and not yet reset.
  @usableFromInline var isRunning = false
  /// The number of runs so far. It shows the cursor of an earlier run that this run is over.
  @usableFromInline var number: UInt = 0
  /// Whether a cursor holds the statement, and its arguments, for a run that has not begun.
  var isReserved = false
  /// The statement that was running already when this run began: see ``RunningStatements``.
  var outerStatement: Unmanaged<Statement>?
  /// The statement itself while a run lasts longer than the call that began it, so that it is not
  /// deallocated before the run has ended.
  var keptStatement: Statement?
  /// When the run began, in nanoseconds of a clock of ``Instrumentation``. Not set in a connection
  /// without instruments.
  var startTime: UInt64 = 0
  /// The row id that the run returned in its first row; `nil` when it is not an integer.
  var returnedRowID: Int64?
}

/// The statements of a connection that were started and not yet reset.
///
/// It is a chain through ``RunState/outerStatement``, which begins with the statement that was
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
    statement.lastRun.outerStatement = first
    first = Unmanaged.passUnretained(statement)
  }

  /// Removes a statement that has ended. A statement that does not run is ignored.
  @inline(__always)
  mutating func remove(_ statement: Statement) {
    if first?.toOpaque() == Unmanaged.passUnretained(statement).toOpaque() {
      first = statement.lastRun.outerStatement
      statement.lastRun.outerStatement = nil
    } else {
      removeInner(statement)
    }
  }

  /// Removes a statement that was not started last.
  @inline(never)
  private func removeInner(_ statement: Statement) {
    let removed = Unmanaged.passUnretained(statement).toOpaque()
    var inner = last
    while let next = inner?.lastRun.outerStatement, next.toOpaque() != removed {
      inner = next.takeUnretainedValue()
    }
    inner?.lastRun.outerStatement = statement.lastRun.outerStatement
    statement.lastRun.outerStatement = nil
  }

  /// The statement that was started last among those that write.
  var lastWriter: Statement? {
    var next = last
    while let statement = next, statement.isReadonly {
      next = statement.lastRun.outerStatement?.takeUnretainedValue()
    }
    return next
  }

  /// Returns whether a running statement fulfils a condition.
  package func contains(where condition: (Statement) -> Bool) -> Bool {
    var next = last
    while let statement = next {
      if condition(statement) { return true }
      next = statement.lastRun.outerStatement?.takeUnretainedValue()
    }
    return false
  }
}
