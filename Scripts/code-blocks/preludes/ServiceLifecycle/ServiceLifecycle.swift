// What the code blocks use of swift-service-lifecycle, which cannot be fetched here.
public import Logging

public protocol Service: Sendable {
  func run() async throws
}

public enum UnixSignal: Sendable { case sigterm, sigint }

public func gracefulShutdown() async throws {}

public struct ServiceGroup: Sendable {
  public init(services: [any Service], gracefulShutdownSignals: [UnixSignal], logger: Logger) {}
  public func run() async throws {}
}

extension AsyncSequence {
  public func cancelOnGracefulShutdown() -> Self { self }
}
