/// What an observation delivers to its subscribers.
enum ObservedEvent<Value: Sendable>: Sendable {
  /// The query returns this.
  case value(Numbered<Value>)
  /// The query fails. The last value stays, and the next success is delivered.
  case failure(any Error)
  /// The database was closed: nothing comes any more.
  case closed
}

extension ObservedEvent {
  /// The event of the numbered observation.
  var numbered: ObservedEvent<Numbered<Value>> {
    switch self {
    case .value(let numbered): .value(Numbered(number: numbered.number, value: numbered))
    case .failure(let error): .failure(error)
    case .closed: .closed
    }
  }
}

extension ObservedEvent {
  /// The event with another value, or the error of the closure.
  func map<New: Sendable>(_ transform: (Value) throws -> New) -> ObservedEvent<New> {
    switch self {
    case .value(let numbered):
      do {
        return .value(Numbered(number: numbered.number, value: try transform(numbered.value)))
      } catch {
        return .failure(error)
      }
    case .failure(let error): return .failure(error)
    case .closed: return .closed
    }
  }
}
