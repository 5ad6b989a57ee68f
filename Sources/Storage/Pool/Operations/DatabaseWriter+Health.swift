extension DatabaseWriter {
  /// Finds out how the database is, for the health check of a service.
  ///
  ///     let health = await pool.health()
  ///     respond(with: health.isHealthy ? .ok : .serviceUnavailable)
  ///
  /// It returns in little more than the time limit, whatever other accesses do: a write that runs
  /// for longer makes the database count as not writable. Nothing is written, and observers of
  /// transactions receive nothing.
  ///
  /// - Parameters:
  ///   - checkingIntegrity: Whether SQLite checks the file, which reads all of it and has no time
  ///     limit. Cancelling the task stops the check.
  ///   - limit: How long to wait until a write can begin.
  /// - Returns: What was found out.
  public func health(
    checkingIntegrity: Bool = false,
    within limit: Duration = .seconds(1)
  ) async -> DatabaseHealth {
    let core = observableCore
    // What runs is read first: a long access may end while the write is awaited.
    let uses = core.uses
    let writeError = await core.writeError(within: limit)
    var violations: [String]?
    var integrityError: (any Error)?
    if checkingIntegrity {
      do {
        violations = try await unsafeRead { db in try db.integrityViolations() }
      } catch {
        integrityError = error
      }
    }
    return DatabaseHealth(
      writeError: writeError,
      isReadonlyAsConfigured: core.configuration.readonly
        && (writeError as? DatabaseError)?.extendedResultCode == .SQLITE_READONLY,
      walSize: core.walSize,
      runningWrite: uses.write,
      longestRead: uses.read,
      oldestSnapshot: uses.snapshot,
      integrityViolations: violations,
      integrityError: integrityError
    )
  }
}
