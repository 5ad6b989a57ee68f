/// An event that an observation delivers to its subscribers.
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

/// An event with its position in the order of a query's events, for code that only passes it on.
/// Such code need not know the type of the value, which makes it much faster.
///
/// An event that is not a value is of this class, and a value is an ``ObservedMoment``.
class AnyObservedMoment: @unchecked Sendable {
  // Safe to share: the number is set before the object is shared, and all else is constant.
  private(set) final var sequence: UInt64
  final let kind: Kind

  /// The kind of the event.
  enum Kind: Sendable {
    /// The query returns a value.
    case value
    /// The query fails.
    case failure(any Error)
    /// The database was closed.
    case closed
  }

  fileprivate init(sequence: UInt64, _ kind: Kind) {
    self.sequence = sequence
    self.kind = kind
  }

  /// Makes an event that is not a value, without a position.
  static func failure(_ error: any Error) -> AnyObservedMoment {
    AnyObservedMoment(sequence: 0, .failure(error))
  }

  /// Makes an event that is not a value, without a position.
  static var closed: AnyObservedMoment { AnyObservedMoment(sequence: 0, .closed) }

  /// Makes an event with a position.
  static func event<Value: Sendable>(
    _ event: ObservedEvent<Value>,
    sequence: UInt64 = 0
  ) -> AnyObservedMoment {
    switch event {
    case .value(let numbered): ObservedMoment(sequence: sequence, numbered)
    case .failure(let error): AnyObservedMoment(sequence: sequence, .failure(error))
    case .closed: AnyObservedMoment(sequence: sequence, .closed)
    }
  }

  /// Returns the same event with another position.
  func copy(sequence: UInt64) -> AnyObservedMoment {
    AnyObservedMoment(sequence: sequence, kind)
  }

  /// Sets the event's position, before another thread can see the event.
  final func setSequence(_ sequence: UInt64) { self.sequence = sequence }

  /// The value; `nil` for an event that is not a value.
  ///
  /// - Precondition: The moment was made with values of this type.
  final func value<Value: Sendable>(of type: Value.Type) -> ObservedMoment<Value>? {
    guard case .value = kind else { return nil }
    return unsafeDowncast(self, to: ObservedMoment<Value>.self)
  }

  /// The event.
  ///
  /// - Precondition: The moment was made with values of this type.
  final func event<Value: Sendable>(of type: Value.Type) -> ObservedEvent<Value> {
    switch kind {
    case .value: .value(unsafeDowncast(self, to: ObservedMoment<Value>.self).numbered)
    case .failure(let error): .failure(error)
    case .closed: .closed
    }
  }
}

/// A value with its position in the order of a query's events.
///
/// Its parts are properties of the object, because generic code that takes a value out of a
/// structure or an enumeration looks its type up each time.
final class ObservedMoment<Value: Sendable>: AnyObservedMoment, @unchecked Sendable {
  // Safe to share: the class adds only constants.
  let number: UInt64
  let origin: ValueOrigin?
  let value: Value

  /// - Parameters:
  ///   - sequence: Its position; 0 when it is not known yet.
  ///   - numbered: The value.
  init(sequence: UInt64 = 0, _ numbered: Numbered<Value>) {
    number = numbered.number
    origin = numbered.origin
    value = numbered.value
    super.init(sequence: sequence, .value)
  }

  var numbered: Numbered<Value> { Numbered(number: number, value: value, origin: origin) }

  override func copy(sequence: UInt64) -> AnyObservedMoment {
    ObservedMoment(sequence: sequence, numbered)
  }
}
