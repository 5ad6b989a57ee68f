// What the code blocks use of swift-log, which cannot be fetched here.

public struct Logger: Sendable {
  public enum Level: Sendable { case trace, debug, info, notice, warning, error, critical }

  public enum MetadataValue: Sendable, ExpressibleByStringInterpolation {
    case string(String)
    public init(stringLiteral value: String) { self = .string(value) }
  }

  public struct Message: Sendable, ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) {}
  }

  public init(label: String) {}
  public func log(level: Level, _ message: Message, metadata: [String: MetadataValue]) {}
  public func error(_ message: Message, metadata: [String: MetadataValue]) {}
}
