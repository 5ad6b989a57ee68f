/// The state of a reference: a state machine without side effects.
///
/// Each change returns its effects. They include the replaced values, which the caller releases
/// outside the lock.
struct SharedReferenceState<Value: Sendable>: Sendable {
  /// The work to do after a change.
  struct Effects: Sendable {
    /// The value state that has ended, if it was read.
    var endedValue: UInt64?
    /// The loading state that has ended, if it was read.
    var endedLoading: UInt64?
    var wakeups: [Wakeup] = []
    /// The error to report.
    var failure: (any Error)?
    /// The value and the error that were replaced.
    var replaced: (value: Value?, error: (any Error)?) = (nil, nil)
  }

  /// A run of the key's `load`.
  struct Load: Sendable {
    /// The number of values and errors that the subscription had delivered when the load began.
    let received: UInt64
  }

  /// The value; `nil` until there is one, for a reference that no reader shows yet.
  private(set) var value: Value?
  /// How the value came about, if it was observed.
  private(set) var origin: ValueOrigin?
  /// The value to show when the key has none.
  private var initialValue: Value?
  private(set) var error: (any Error)?
  /// The error with which the subscription has ended.
  private(set) var finalError: (any Error)?
  var isFinished: Bool { finalError != nil }
  /// The error before the final one, which a loop may not have taken yet.
  private(set) var errorBeforeEnd: (any Error)?
  /// Whether a value has come from the key.
  private(set) var isLoaded = false
  private var loads = 0
  /// The number of callers of `load()` that will receive the error.
  private var callers = 0
  /// An error that came while a caller was waiting.
  private(set) var unreported: (any Error)?
  /// Whether the subscription reports that a value is being loaded.
  private var isSubscriptionLoading = false

  /// The number of changes of the value.
  private(set) var valueChanges: UInt64 = 0
  /// The number of values and errors, except the final error.
  private(set) var events: UInt64 = 0
  /// The number of changes of ``loading``.
  private var loadingChanges: UInt64 = 0
  /// The number of values and errors that the subscription has delivered.
  private var received: UInt64 = 0
  /// Whether the subscription has delivered a value or an error.
  var hasReceived: Bool { received > 0 }
  /// The number of the subscription that may deliver.
  private(set) var subscription = 0
  /// The last states whose reads were registered with Observation.
  private var lastReadValue = UInt64.max
  private var lastReadLoading = UInt64.max
  private var wakeups: [ObjectIdentifier: Wakeup] = [:]

  init(initialValue: Value?) {
    value = initialValue
    self.initialValue = initialValue
  }

  var loading: LoadingStatus {
    LoadingStatus(error: error, isLoading: loads > 0 || isSubscriptionLoading)
  }

  // MARK: Reading

  /// Notes a read of the value.
  ///
  /// - Returns: The number of the state that is read.
  mutating func noteValueRead() -> UInt64 {
    lastReadValue = valueChanges
    return valueChanges
  }

  /// Notes a read of the loading status.
  ///
  /// - Returns: The number of the state that is read.
  mutating func noteLoadingRead() -> UInt64 {
    lastReadLoading = loadingChanges
    return loadingChanges
  }

  mutating func add(_ wakeup: Wakeup) { wakeups[ObjectIdentifier(wakeup)] = wakeup }
  mutating func remove(_ wakeup: Wakeup) { wakeups[ObjectIdentifier(wakeup)] = nil }

  // MARK: Changing

  /// Sets the value to show until the key provides one, unless there is a value already.
  ///
  /// An error becomes a failure of the reader that now shows the value.
  mutating func provide(initialValue new: Value) -> Effects {
    var effects = Effects()
    if value == nil {
      value = new
      if let error { report(error, &effects) }
    }
    if initialValue == nil { initialValue = new }
    return effects
  }

  /// Returns a new value, or the initial value if the key has none.
  func resolve(_ new: Value?) -> Value? { new ?? initialValue }

  /// Lets another subscription deliver instead of the present one, unless that one has delivered a
  /// value or an error.
  ///
  /// - Returns: Whether the caller must make the other subscription.
  mutating func replaceSubscription() -> Bool {
    guard !hasReceived else { return false }
    subscription += 1
    return true
  }

  /// Receives a value of the subscription. `isEqual` says whether it equals the current value.
  mutating func receive(_ new: Value, _ origin: ValueOrigin? = nil, isEqual: Bool) -> Effects {
    received += 1
    return show(new, origin, isEqual: isEqual)
  }

  private mutating func show(_ new: Value, _ origin: ValueOrigin?, isEqual: Bool) -> Effects {
    var effects = Effects()
    let mustWake = !isEqual || !isLoaded || error != nil
    if !isEqual || error != nil { events += 1 }
    if error != nil {
      endLoadingState(&effects)
      effects.replaced.error = error
      error = nil
      unreported = nil
    }
    if isEqual, isLoaded {
      effects.replaced.value = new
    } else {
      effects.replaced.value = value
      value = new
      self.origin = origin
    }
    isLoaded = true
    if !isEqual {
      if lastReadValue == valueChanges { effects.endedValue = valueChanges }
      valueChanges += 1
    }
    if mustWake { effects.wakeups = Array(wakeups.values) }
    return effects
  }

  /// Receives an error of the subscription. `isKnown` says whether it repeats the current error.
  mutating func fail(_ new: any Error, isKnown: Bool) -> Effects {
    received += 1
    return show(error: new, isKnown: isKnown)
  }

  private mutating func show(error new: any Error, isKnown: Bool) -> Effects {
    var effects = Effects()
    effects.replaced.error = error
    error = new
    guard !isKnown else { return effects }
    report(new, &effects)
    endLoadingState(&effects)
    events += 1
    effects.wakeups = Array(wakeups.values)
    return effects
  }

  /// Receives the final error of the subscription.
  ///
  /// It is a failure only if nothing came before it. Otherwise the database was closed on purpose.
  mutating func finish(_ error: any Error) -> Effects {
    finalError = error
    let isExpected = isLoaded || self.error != nil
    errorBeforeEnd = self.error
    let events = events
    var effects = fail(error, isKnown: false)
    // Loops end, but take the value or error before the end first.
    self.events = events
    if isExpected {
      effects.failure = nil
      unreported = nil
    }
    return effects
  }

  // MARK: Reporting

  /// Reports an error that a reader shows, unless a caller is going to receive it.
  private mutating func report(_ error: any Error, _ effects: inout Effects) {
    guard value != nil else { return }
    if callers > 0 { unreported = error } else { effects.failure = error }
  }

  /// Notes that a caller waits for the result of a load.
  mutating func beginCall() { callers += 1 }

  /// Notes that a caller has received a result.
  ///
  /// - Parameter hasThrown: Whether the caller has received the error that is to be reported.
  /// - Returns: The effects. An error that no caller has received is reported.
  mutating func endCall(hasThrown: Bool) -> Effects {
    callers -= 1
    var effects = Effects()
    if hasThrown { unreported = nil }
    if callers == 0 {
      effects.failure = unreported
      unreported = nil
    }
    return effects
  }

  // MARK: Loading

  mutating func beginLoad() -> (Load, Effects) {
    var effects = Effects()
    loads += 1
    if loads == 1 { endLoadingState(&effects) }
    return (Load(received: received), effects)
  }

  /// Ends a load.
  ///
  /// The result is dropped if the subscription has delivered something during the load, which is
  /// newer.
  ///
  /// - Parameters:
  ///   - load: The load.
  ///   - result: The value or error to show, if any.
  ///   - isKnown: Whether the result equals the current value, or repeats the current error.
  /// - Returns: The effects of the change.
  mutating func end(
    _ load: Load,
    _ result: Result<Value, any Error>?,
    isKnown: Bool
  ) -> Effects {
    var effects = Effects()
    if received == load.received {
      switch result {
      case .success(let value): effects = show(value, nil, isEqual: isKnown)
      case .failure(let error): effects = show(error: error, isKnown: isKnown)
      case nil: break
      }
    }
    loads -= 1
    if loads == 0 { endLoadingState(&effects) }
    return effects
  }

  mutating func setLoading(_ isLoading: Bool) -> Effects {
    var effects = Effects()
    if isLoading != isSubscriptionLoading { endLoadingState(&effects) }
    isSubscriptionLoading = isLoading
    return effects
  }

  private mutating func endLoadingState(_ effects: inout Effects) {
    // A state that begins and ends within one change cannot have been read.
    if effects.endedLoading == nil, lastReadLoading == loadingChanges {
      effects.endedLoading = loadingChanges
    }
    loadingChanges += 1
  }
}
