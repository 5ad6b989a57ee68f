/// The source of a reader that transforms the value of another reader.
final class DerivedSource<Base: Sendable, Value: Sendable>: ReaderSource {
  let base: ReaderBox<Base>
  private let transform: @Sendable (Base) -> Value

  init(_ base: ReaderBox<Base>, _ transform: @escaping @Sendable (Base) -> Value) {
    self.base = base
    self.transform = transform
  }

  func read() -> Value { transform(base.read()) }
  func readLoading() -> LoadingStatus { base.source.readLoading() }
  func status() -> ReaderStatus<Value> { base.status().map(transform) }
  func add(_ wakeup: Wakeup) { base.add(wakeup) }
  func remove(_ wakeup: Wakeup) { base.remove(wakeup) }
  func didLeave() { base.source.didLeave() }
  func load() async throws { try await base.source.load() }
  func momentPart() throws -> MomentPart<Value> { try base.source.momentPart().map(transform) }
}

extension ReaderSource {
  /// Returns whether this source is derived from a reader, directly or indirectly.
  func isDerived<Other>(from box: ReaderBox<Other>) -> Bool {
    (self as? any BasedSource)?.isBased(on: box) ?? false
  }
}

/// A source that is derived from another reader.
protocol BasedSource {
  func isBased(on box: AnyObject) -> Bool
}

extension DerivedSource: BasedSource {
  func isBased(on box: AnyObject) -> Bool {
    base === box || (base.source as? any BasedSource)?.isBased(on: box) ?? false
  }
}
