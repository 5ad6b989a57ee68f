internal import CWellspringSQLite

extension Statement {
  /// Binds values to all parameters of the statement.
  ///
  /// Named values without a parameter are ignored.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when there are too few values, or too many
  ///   positional ones, and with `SQLITE_MISMATCH` for a date that cannot be stored. The values
  ///   bound before then stay.
  public func setArguments(_ arguments: StatementArguments) throws {
    prepareToBind()
    guard parameterCount > 0 || !arguments.isEmpty else { return }
    if arguments.isPositional,
      arguments.values.withUnsafeBufferPointer({ bindAll($0, { $0.bind(to: $1) }) })
    {
      bindings.values = .arguments(arguments)
      return
    }
    let previous = self.arguments
    do {
      try bind(arguments)
      bindings.values = .arguments(arguments)
    } catch {
      // Binds all values or none: restores the previous ones.
      sqlite3_clear_bindings(sqliteStatement)
      if !previous.isEmpty {
        try bind(ArgumentMatching(previous, parameterNames: parameterNames))
      }
      throw error
    }
  }

  /// Checks whether ``setArguments(_:)`` would accept the arguments, and binds nothing.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when it would not.
  public func validateArguments(_ arguments: StatementArguments) throws {
    let matching = ArgumentMatching(arguments, parameterNames: parameterNames)
    if let problem = matching.problem { throw misuse(arguments, problem) }
  }

  /// Binds the given values, and NULL to the parameters without a value. Values without a parameter
  /// are ignored.
  ///
  /// When a value is too large for the connection, the next run of the statement throws
  /// ``DatabaseError`` with `SQLITE_TOOBIG`.
  public func setUncheckedArguments(_ arguments: StatementArguments) {
    prepareToBind()
    bindings.values = .arguments(arguments)
    do {
      try bind(ArgumentMatching(arguments, parameterNames: parameterNames))
    } catch {
      bindings.failure = error
    }
  }

  /// Binds values to all parameters, or makes the next run throw the errors of
  /// ``setArguments(_:)``.
  func setArgumentsForNextRun(_ arguments: StatementArguments) {
    do {
      try setArguments(arguments)
    } catch {
      bindings.failure = error
    }
  }

  /// Ends the run, and clears the failure of the last binding.
  @inline(__always)
  private func prepareToBind() {
    reset()
    if bindings.failure != nil { bindings.failure = nil }
  }

  /// Binds integers to all parameters of the statement.
  func setArguments(_ integers: UnsafeBufferPointer<Int>) throws {
    prepareToBind()
    guard bindAll(integers, { $1.bind(Int64($0)) }) else {
      return try setArguments(StatementArguments(Array(integers)))
    }
    if let first = integers.baseAddress {
      bindings.integers.buffer.update(from: first, count: integers.count)
    }
    if case .integers = bindings.values { return }
    bindings.values = .integers
  }

  /// Binds positional values to all parameters of the statement.
  package func setArguments(_ values: [any DatabaseValueConvertible]) throws {
    prepareToBind()
    guard values.withUnsafeBufferPointer({ bindAll($0, { $0.bind(to: $1) }) }) else {
      return try setArguments(StatementArguments(values))
    }
    bindings.values = .values(values)
  }

  /// Binds a value to each parameter, from left to right.
  ///
  /// - Returns: Whether all values were bound. When not, ``bind(_:)`` finds the reason.
  @inline(__always)
  private func bindAll<Value>(
    _ values: UnsafeBufferPointer<Value>,
    _ bind: (borrowing Value, StatementParameter) -> Int32
  ) -> Bool {
    guard values.count == Int(parameterCount) else { return false }
    var code: Int32 = 0
    for position in 0..<values.count {
      code |= bind(
        values[position],
        StatementParameter(sqliteStatement, Int32(truncatingIfNeeded: position &+ 1))
      )
    }
    return code == SQLITE_OK
  }

  private func bind(_ arguments: StatementArguments) throws {
    let matching = ArgumentMatching(arguments, parameterNames: parameterNames)
    if let problem = matching.problem { throw misuse(arguments, problem) }
    try bind(matching)
  }

  private func bind(_ matching: ArgumentMatching) throws {
    for (index, value) in zip(Int32(1)..., matching.values) {
      let code = value.bind(to: StatementParameter(sqliteStatement, index))
      if code != SQLITE_OK { throw bindingError(code, value, index) }
    }
  }

  /// Returns the error of a value that cannot be bound.
  private func bindingError(
    _ code: Int32,
    _ value: DatabaseValue?,
    _ index: Int32
  ) -> any Error {
    guard let value = value?.unstorable else { return error(code) }
    let error = value.error(in: ParameterUse.text(ofParameter: Int(index), in: self))
    return (error as? DatabaseError)?.with(sql: sql) ?? error
  }

  /// The values that are bound to the parameters; `nil` for a parameter that was not bound through
  /// this library.
  var boundValues: [DatabaseValue?] {
    ArgumentMatching(arguments, parameterNames: parameterNames).values
  }

  /// Makes ``arguments`` unknown, because a caller binds values to the SQLite statement directly.
  func forgetArguments() {
    if case .unknown = bindings.values { return }
    bindings.values = .unknown
  }

  private func misuse(_ arguments: StatementArguments, _ message: String) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: message,
      sql: sql,
      sqlOffset: nil,
      arguments: arguments,
      showsArguments: database.configuration.publicStatementArguments
    )
  }
}
