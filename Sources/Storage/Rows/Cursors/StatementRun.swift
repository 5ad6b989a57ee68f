/// One cursor's run of a statement.
@usableFromInline
struct StatementRun {
  private enum Phase {
    case new
    case running
    /// There is no further row, at the end or after an error.
    case done
  }

  @usableFromInline let statement: Statement
  private var phase = Phase.new
  private var run: UInt = 0
  /// The error of the last step, which each further step throws again.
  private var failure: (any Error)?

  init(_ statement: Statement) {
    self.statement = statement
    statement.isReserved = true
  }

  /// Advances to the next row, and returns whether there is one. After an error, it throws the
  /// error again, because no further row can be read.
  @inline(__always)
  mutating func next() throws -> Bool {
    guard phase == .running, statement.isRunning, statement.runNumber == run else {
      return try beginOrStop()
    }
    do {
      if try statement.stepInline() { return true }
    } catch {
      throw fail(error)
    }
    finish()
    return false
  }

  /// Advances a run that does not run: before its first row, or after its end.
  private mutating func beginOrStop() throws -> Bool {
    switch phase {
    case .running:
      throw Self.ended
    case .new:
      statement.isReserved = false
      phase = .done
      do {
        guard try statement.firstStep() else {
          statement.reset()
          return false
        }
      } catch {
        throw fail(error)
      }
      run = statement.runNumber
      phase = .running
      return true
    case .done:
      if let failure { throw failure }
      return false
    }
  }

  private static let ended = DatabaseError.misuse(
    """
    a cursor was used after the access that created it had ended, or after its statement had been \
    started again: collect its elements in an array, and return the array
    """
  )

  private mutating func fail(_ error: any Error) -> any Error {
    phase = .done
    failure = error
    return error
  }

  /// Ends the run unless it has already ended.
  mutating func finish() {
    if phase == .new { statement.isReserved = false }
    if phase == .running, statement.isRunning, statement.runNumber == run { statement.reset() }
    phase = .done
  }
}
