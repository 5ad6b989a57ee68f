public import Storage

// Reads go to the pool. The protocol documents the methods.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ReplicatedDatabase {
  public var configuration: Configuration { node.pool.configuration }
  public var path: String { node.pool.path }

  public func read<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try node.pool.read(value)
  }

  public func read<Value: Sendable>(
    _ value: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await node.pool.read(value)
  }

  public func asyncRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    node.pool.asyncRead(value)
  }

  public func unsafeRead<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try node.pool.unsafeRead(value)
  }

  public func unsafeRead<Value: Sendable>(
    _ value: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await node.pool.unsafeRead(value)
  }

  public func asyncUnsafeRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    node.pool.asyncUnsafeRead(value)
  }

  public func unsafeReentrantRead<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try node.pool.unsafeReentrantRead(value)
  }

  public func interrupt() { node.pool.interrupt() }
}
