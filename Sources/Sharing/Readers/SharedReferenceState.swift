/// What a reference shows, and how that changes: a state machine without side effects. What a change
/// replaces goes out with its effects, to be released outside of the lock.
struct SharedReferenceState<Value: Sendable>: Sendable {
  /// What has to be done after a change.
  struct Effects: Sendable {
    /// The states that have ended and had been read.
    var endedValue: UInt64?
    var endedLoading: UInt64?
    var wakeups: [Wakeup] = []
    /// What was replaced.
    var replaced: (value: Value?, error: (any Error)?) = (nil, nil)
  }

  /// A run of the key's `load`.
  struct Load: Sendable {
    /// What the subscription had told when it began.
    let told: UInt64
  }

  /// The value; `nil` until there is one, for a reference that nobody shows yet.
  private(set) var value: Value?
  /// What is shown when there is no value.
  private var initialValue: Value?
  private(set) var error: (any Error)?
  private(set) var isFinished = false
  /// Whether a value has come from the key.
  private(set) var isLoaded = false
  private var loads = 0
  private var isLoadingByItself = false

  /// Count the values; the values and errors; the changes of what concerns loading; and what the
  /// subscription tells.
  private(set) var valueChanges: UInt64 = 0
  private(set) var events: UInt64 = 0
  private var loadingChanges: UInt64 = 0
  private var told: UInt64 = 0
  /// Whether the subscription has told anything.
  var isTold: Bool { told > 0 }
  /// The last states that Observation knows to have been read.
  private var lastReadValue = UInt64.max
  private var lastReadLoading = UInt64.max
  private var wakeups: [ObjectIdentifier: Wakeup] = [:]

  init(initialValue: Value?) {
    value = initialValue
    self.initialValue = initialValue
  }

  var loading: LoadingStatus {
    LoadingStatus(error: error, isLoading: loads > 0 || isLoadingByItself)
  }

  // MARK: Reading

  /// Notes that the value is read.
  ///
  /// - Returns: The state that is read.
  mutating func noteValueRead() -> UInt64 {
    lastReadValue = valueChanges
    return valueChanges
  }

  /// Notes that what concerns loading is read.
  ///
  /// - Returns: The state that is read.
  mutating func noteLoadingRead() -> UInt64 {
    lastReadLoading = loadingChanges
    return loadingChanges
  }

  mutating func add(_ wakeup: Wakeup) { wakeups[ObjectIdentifier(wakeup)] = wakeup }
  mutating func remove(_ wakeup: Wakeup) { wakeups[ObjectIdentifier(wakeup)] = nil }

  // MARK: Changing

  /// Takes the value that is shown until there is another one, unless there is one.
  mutating func provide(initialValue new: Value) {
    if value == nil { value = new }
    if initialValue == nil { initialValue = new }
  }

  /// What stands for a value: the initial one where there is none.
  func resolve(_ new: Value?) -> Value? { new ?? initialValue }

  /// Takes a value of the subscription, which may equal the present one.
  mutating func receive(_ new: Value, isEqual: Bool) -> Effects {
    told += 1
    return show(new, isEqual: isEqual)
  }

  private mutating func show(_ new: Value, isEqual: Bool) -> Effects {
    var effects = Effects()
    let isNews = !isEqual || !isLoaded || error != nil
    if !isEqual || error != nil { events += 1 }
    if error != nil {
      endLoadingState(&effects)
      effects.replaced.error = error
      error = nil
    }
    if isEqual, isLoaded {
      effects.replaced.value = new
    } else {
      effects.replaced.value = value
      value = new
    }
    isLoaded = true
    if !isEqual {
      if lastReadValue == valueChanges { effects.endedValue = valueChanges }
      valueChanges += 1
    }
    if isNews { effects.wakeups = Array(wakeups.values) }
    return effects
  }

  /// Takes an error, which is `isKnown` when it is the present one over again.
  mutating func fail(_ new: any Error, isKnown: Bool) -> Effects {
    told += 1
    return show(error: new, isKnown: isKnown)
  }

  private mutating func show(error new: any Error, isKnown: Bool) -> Effects {
    var effects = Effects()
    effects.replaced.error = error
    error = new
    guard !isKnown else { return effects }
    endLoadingState(&effects)
    events += 1
    effects.wakeups = Array(wakeups.values)
    return effects
  }

  /// Takes the error that nothing follows.
  mutating func finish(_ error: any Error) -> Effects {
    isFinished = true
    return fail(error, isKnown: false)
  }

  // MARK: Loading

  mutating func beginLoad() -> (Load, Effects) {
    var effects = Effects()
    loads += 1
    if loads == 1 { endLoadingState(&effects) }
    return (Load(told: told), effects)
  }

  /// Ends a load. What the subscription has told meanwhile is newer than its result, which is `nil`
  /// where there is none to be shown.
  mutating func end(
    _ load: Load,
    _ result: Result<Value, any Error>?,
    isKnown: Bool
  ) -> Effects {
    var effects = Effects()
    if told == load.told {
      switch result {
      case .success(let value): effects = show(value, isEqual: isKnown)
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
    if isLoading != isLoadingByItself { endLoadingState(&effects) }
    isLoadingByItself = isLoading
    return effects
  }

  private mutating func endLoadingState(_ effects: inout Effects) {
    // Nobody can have read a state that ends within the same change.
    if effects.endedLoading == nil, lastReadLoading == loadingChanges {
      effects.endedLoading = loadingChanges
    }
    loadingChanges += 1
  }
}
