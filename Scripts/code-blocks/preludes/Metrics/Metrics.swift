// What the code blocks use of swift-metrics, which cannot be fetched here.

public final class Timer: Sendable {
  public init(label: String) {}
  public func recordNanoseconds(_ duration: Int64) {}
}

public final class Gauge: Sendable {
  public init(label: String) {}
  public func record(_ value: some BinaryInteger) {}
}

public final class Counter: Sendable {
  public init(label: String) {}
  public func increment() {}
}
