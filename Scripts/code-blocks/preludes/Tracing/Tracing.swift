// What the code blocks use of swift-distributed-tracing, which cannot be fetched here.

public struct DefaultTracerClock {
  public struct Timestamp: Sendable {
    public var nanosecondsSinceEpoch: UInt64
    public init(nanosecondsSinceEpoch: UInt64) {
      self.nanosecondsSinceEpoch = nanosecondsSinceEpoch
    }
  }
  public static var now: Timestamp { Timestamp(nanosecondsSinceEpoch: 0) }
}

public struct SpanAttributes {
  public subscript(key: String) -> String? {
    get { nil }
    nonmutating set {}
  }
}

public enum SpanKind { case client }

public struct Span {
  public var attributes: SpanAttributes { SpanAttributes() }
  public func end(at instant: DefaultTracerClock.Timestamp) {}
}

public func startSpan(_ name: String, at: DefaultTracerClock.Timestamp, ofKind: SpanKind) -> Span {
  Span()
}
