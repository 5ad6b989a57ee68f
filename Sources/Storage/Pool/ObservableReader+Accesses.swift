// The one implementation of the protocols: readers and writers differ in their connections only. What
// the methods do is documented with the protocols.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ObservableReader {
  public var configuration: Configuration { core.configuration }
  public var path: String { core.path }

  public func read<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try core.read(value)
  }

  public func read<Value: Sendable>(
    _ value: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await core.read(value)
  }

  public func asyncRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    core.asyncRead(inTransaction: true, value)
  }

  public func unsafeRead<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try core.unsafeRead(value)
  }

  public func unsafeRead<Value: Sendable>(
    _ value: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await core.unsafeRead(value)
  }

  public func asyncUnsafeRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    core.asyncRead(inTransaction: false, value)
  }

  public func unsafeReentrantRead<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try core.unsafeReentrantRead(value)
  }

  public func interrupt() {
    core.readers.interrupt()
    if core.isPool { core.writers?.interrupt() }
  }

  public func close() throws { try core.close() }
}

/// A writer of this library.
protocol ObservableWriter: ObservableReader, DatabaseWriter {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ObservableWriter {
  public func write<Value>(_ updates: (Database) throws -> Value) throws -> Value {
    try core.write(updates)
  }

  public func write<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await core.write(updates)
  }

  public func asyncWrite<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value,
    completion: @escaping @Sendable (Database, Result<Value, any Error>) -> Void
  ) {
    core.asyncWrite(updates, completion: completion)
  }

  public func writeWithoutTransaction<Value>(
    _ updates: (Database) throws -> Value
  ) throws -> Value {
    try core.writeWithoutTransaction(updates)
  }

  public func writeWithoutTransaction<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await core.writeWithoutTransaction(updates)
  }

  public func asyncWriteWithoutTransaction(
    _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    core.asyncWriteWithoutTransaction(updates)
  }

  public func barrierWriteWithoutTransaction<Value>(
    _ updates: (Database) throws -> Value
  ) throws -> Value {
    try core.barrierWriteWithoutTransaction(updates)
  }

  public func barrierWriteWithoutTransaction<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await core.barrierWriteWithoutTransaction(updates)
  }

  public func asyncBarrierWriteWithoutTransaction(
    _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    core.asyncWriteWithoutTransaction(barrier: true, updates)
  }

  public func unsafeReentrantWrite<Value>(_ updates: (Database) throws -> Value) throws -> Value {
    try core.unsafeReentrantWrite(updates)
  }

  public func spawnConcurrentRead(
    _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    core.spawnConcurrentRead(value)
  }
}
