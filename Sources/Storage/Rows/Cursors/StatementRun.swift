/// The run of a statement, on behalf of one cursor.
@usableFromInline
struct StatementRun {
  private enum Phase {
    case new
    case running
    case done
  }

  @usableFromInline let statement: Statement
  private var phase = Phase.new
  private var run: UInt = 0

  init(_ statement: Statement) {
    self.statement = statement
    statement.isReserved = true
  }

  /// Moves on to the next row, and returns whether there is one.
  mutating func next() throws -> Bool {
    switch phase {
    case .running:
      precondition(
        statement.isRunning && statement.runNumber == run,
        """
        A cursor was used after the access that made it had ended, or after its statement had been \
        started again. Copy what it yields into an array, and return that.
        """
      )
      do {
        if try statement.step() { return true }
      } catch {
        phase = .done
        throw error
      }
      finish()
      return false
    case .new:
      statement.isReserved = false
      phase = .done
      guard try statement.firstStep() else {
        statement.reset()
        return false
      }
      run = statement.runNumber
      phase = .running
      return true
    case .done:
      return false
    }
  }

  /// Ends the run, if it still goes on.
  mutating func finish() {
    if phase == .new { statement.isReserved = false }
    if phase == .running, statement.isRunning, statement.runNumber == run { statement.reset() }
    phase = .done
  }
}
