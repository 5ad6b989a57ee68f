internal import Dispatch
internal import WellspringSystem

/// The value of a key, shared by all readers with that key.
///
/// The reference subscribes to the key for as long as there is a reader or a loop.
final class SharedReference<Value: Sendable>: ReaderSource {
  private enum Start {
    case new
    case running(thread: UInt, waiting: [@Sendable (SharedSubscription) -> Void])
    case done(SharedSubscription)
  }

  private let key: any SharedReaderKey<Value>
  /// Reports errors; `nil` where the readers of other references report them.
  private let reporter: FailureReporter?
  /// Removes the reference from the registry.
  private let registration: ReferenceRegistry.Registration
  // Guards the value and everything that readers show.
  private let state: Lock<SharedReferenceState<Value>>
  // Guards the subscription. One thread subscribes; other threads wait for the first value. The
  // lock of the state is taken inside this lock.
  private let start = Lock(Start.new)
  private let valueSignal = ChangeSignal()
  private let loadingSignal = ChangeSignal()

  init(
    key: some SharedReaderKey<Value>,
    initialValue: Value?,
    reportsFailures: Bool,
    registration: ReferenceRegistry.Registration
  ) {
    let key = key.unwrapped
    self.key = key
    reporter = reportsFailures ? FailureReporter() : nil
    self.registration = registration
    state = Lock(SharedReferenceState(initialValue: initialValue))
  }

  deinit {
    registration.remove(ObjectIdentifier(self))
  }

  /// Sets the value to show until the key provides one, unless there is a value already.
  func provide(initialValue: () -> Value?) {
    guard !hasValue, let value = initialValue() else { return }
    change { $0.provide(initialValue: value) }
  }

  // MARK: Reading

  var hasValue: Bool { state.withLock { $0.value != nil } }

  func read() -> Value {
    let (value, change) = state.withLock { ($0.value, $0.noteValueRead()) }
    valueSignal.didRead(change)
    return shown(value)
  }

  func readLoading() -> LoadingStatus {
    let (loading, change) = state.withLock { ($0.loading, $0.noteLoadingRead()) }
    loadingSignal.didRead(change)
    return loading
  }

  func status() -> ReaderStatus<Value> {
    let state = state.withLock { $0 }
    return ReaderStatus(
      value: shown(state.value),
      origin: state.origin,
      error: state.isFinished ? state.errorBeforeEnd : state.error,
      finalError: state.finalError,
      isPlaceholder: !state.isLoaded,
      valuePosition: ReaderPosition(change: state.valueChanges),
      eventPosition: ReaderPosition(change: state.events)
    )
  }

  private func shown(_ value: Value?) -> Value {
    guard let value else { preconditionFailure("A reference is shown when it has a value.") }
    return value
  }

  func add(_ wakeup: Wakeup) { state.withLock { $0.add(wakeup) } }
  func remove(_ wakeup: Wakeup) { state.withLock { $0.remove(wakeup) } }

  func didLeave() {
    let (change, loadingChange) = state.withLock { ($0.noteValueRead(), $0.noteLoadingRead()) }
    valueSignal.didEnd(change)
    loadingSignal.didEnd(loadingChange)
  }

  func momentPart() throws -> MomentPart<Value> {
    guard let key = key as? any MomentKey else { throw NoCommonMoment.notFetched }
    return try key.momentPart(as: Value.self)
  }

  // MARK: Starting

  /// Subscribes to the key, unless that has been done.
  ///
  /// If the key provides its first value or error immediately, the reference has it on return.
  func startIfNeeded() {
    while true {
      switch nextStep() {
      case .none:
        return
      case .wait(let done):
        done.wait()
      case .subscribe(let replaced):
        subscribe(.initialValue(shown(state.withLock { $0.value })))
        replaced?.cancel()
        return
      }
    }
  }

  /// What a thread must do so that the reference has its first value.
  private enum Step {
    case none
    case wait(DispatchSemaphore)
    /// The new subscription replaces another one, if that is given.
    case subscribe(replaced: SharedSubscription?)
  }

  private func nextStep() -> Step {
    let thread = CurrentThread.id
    return start.withLock { start in
      switch start {
      case .new:
        start = .running(thread: thread, waiting: [])
        return .subscribe(replaced: nil)
      case .running(let other, let waiting):
        // Waiting would deadlock if the fetch of this key reads this key, and could deadlock if the
        // first value waits for a database access that the caller is in. Show the default instead.
        guard other != thread, !ThreadScope.blocking.isActive else { return .none }
        let done = DispatchSemaphore(value: 0)
        start = .running(thread: other, waiting: waiting + [{ _ in done.signal() }])
        return .wait(done)
      case .done(let background):
        // The first value of a subscription that was started in the background is on its way. The
        // place where it will be delivered may be blocked until the caller continues, so the caller
        // must not wait for it. Another subscription delivers it on this thread, without another
        // run of the query.
        guard
          !state.withLock({ $0.hasReceived }), key is any LiveKey, !ThreadScope.blocking.isActive,
          state.withLock({ $0.replaceSubscription() })
        else { return .none }
        start = .running(thread: thread, waiting: [])
        return .subscribe(replaced: background)
      }
    }
  }

  /// Subscribes to the key, unless that has been done, and waits for a value without blocking the
  /// calling thread.
  func startAndLoad() async throws {
    guard key is any LiveKey else {
      startInBackground()
      return try await load()
    }
    try await call {
      startInBackground()
      if let error = try await firstError() { throw error }
    }
  }

  /// Waits for the first value or error of the subscription.
  ///
  /// - Returns: The current error; `nil` if the subscription delivered a value.
  private func firstError() async throws -> (any Error)? {
    let wakeup = Wakeup()
    add(wakeup)
    defer { remove(wakeup) }
    let load = change { $0.beginLoad() }
    defer { change { $0.end(load, nil, isKnown: false) } }
    while true {
      let (hasReceived, error) = state.withLock { ($0.hasReceived, $0.error) }
      if hasReceived { return error }
      try Task.checkCancellation()
      await wakeup.wait(isolation: nil)
    }
  }

  /// Subscribes to the key, unless that has been done, without blocking the calling thread.
  func startInBackground() {
    let mustStart = start.withLock { start in
      guard case .new = start else { return false }
      start = .running(thread: 0, waiting: [])
      return true
    }
    if mustStart { subscribe(.userInitiated) }
  }

  private func subscribe(_ context: LoadContext<Value>) {
    let number = state.withLock { $0.subscription }
    let subscription = key.subscribe(
      context: context,
      subscriber: SharedSubscriber(
        callback: { [weak self] in self?.receive($0, $1, from: number) },
        onLoading: { [weak self] isLoading in self?.change { $0.setLoading(isLoading) } },
        onFinish: { [weak self] in self?.finish($0, from: number) }
      )
    )
    // The key provides the value immediately or later. Other threads wait until it was asked.
    if context.initialValue != nil { load(context) { _ in } }
    let waiting = start.withLock { start -> [@Sendable (SharedSubscription) -> Void] in
      defer { start = .done(subscription) }
      guard case .running(_, let waiting) = start else { return [] }
      return waiting
    }
    for resume in waiting { resume(subscription) }
  }

  /// Subscribes to the key, unless that has been done, and calls a closure with the subscription
  /// once there is one.
  private func whenSubscribed(_ body: @escaping @Sendable (SharedSubscription) -> Void) {
    startInBackground()
    let subscription = start.withLock { start -> SharedSubscription? in
      switch start {
      case .new:
        preconditionFailure("startInBackground() leaves no reference in the state `new`.")
      case .running(let thread, let waiting):
        start = .running(thread: thread, waiting: waiting + [body])
        return nil
      case .done(let subscription):
        return subscription
      }
    }
    if let subscription { body(subscription) }
  }

  // MARK: Loading

  /// Runs a load whose caller receives the error, so that it need not be reported.
  private func call(_ body: () async throws -> Void) async throws {
    state.withLock { $0.beginCall() }
    do {
      try await body()
      change { $0.endCall(hasThrown: false) }
    } catch {
      // A caller that was cancelled has not received the error of the key.
      let unreported = state.withLock { $0.unreported }
      let hasThrown = unreported.map { isSame($0, error) } ?? false
      change { $0.endCall(hasThrown: hasThrown) }
      throw error
    }
  }

  /// Loads the value again.
  func load() async throws { try await call(loadAgain) }

  private func loadAgain() async throws {
    let result = await Promise<Result<Void, any Error>>.value { promise in
      if key is any LiveKey {
        refresh { promise.fulfil($0) }
      } else {
        load(.userInitiated) { promise.fulfil($0) }
      }
    } onCancel: {
      .failure(CancellationError())
    }
    try result.get()
  }

  /// Makes the subscription deliver the current value.
  ///
  /// If the value came by a way other than the subscription, an older value could come last.
  private func refresh(_ completion: @escaping @Sendable (Result<Void, any Error>) -> Void) {
    let load = change { $0.beginLoad() }
    refreshSubscription {
      self.change { $0.end(load, nil, isKnown: false) }
      let error = self.state.withLock { $0.error }
      completion(error.map { .failure($0) } ?? .success(()))
    }
  }

  /// Refreshes the subscription, also if another one replaces it meanwhile.
  private func refreshSubscription(_ completion: @escaping @Sendable () -> Void) {
    whenSubscribed { subscription in
      // The closure keeps the reference alive until the subscription has answered.
      subscription.refresh {
        if self.isCurrent(subscription) {
          completion()
        } else {
          self.refreshSubscription(completion)
        }
      }
    }
  }

  private func isCurrent(_ subscription: SharedSubscription) -> Bool {
    start.withLock { start in
      guard case .done(let current) = start else { return false }
      return current === subscription
    }
  }

  private func load(
    _ context: LoadContext<Value>,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    let load = change { $0.beginLoad() }
    // The closure keeps the reference alive until the key has answered.
    let continuation = LoadContinuation<Value>("\(self.key)") { result in
      self.end(load, result, context)
      completion(result.map { _ in })
    }
    key.load(context: context, continuation: continuation)
  }

  private func end(
    _ load: SharedReferenceState<Value>.Load,
    _ result: Result<Value?, any Error>,
    _ context: LoadContext<Value>
  ) {
    let (present, error) = state.withLock { ($0.value, $0.error) }
    switch result {
    case .success(let value):
      // During the first load, the reference shows the initial value already.
      let isInitial = value == nil && context.initialValue != nil
      guard !isInitial, let new = state.withLock({ $0.resolve(value) }) else {
        return change { $0.end(load, nil, isKnown: false) }
      }
      let isEqual = present.map { areEqual($0, new) } ?? false
      change { $0.end(load, .success(new), isKnown: isEqual) }
    case .failure(let new) where new is CancellationError:
      change { $0.end(load, nil, isKnown: false) }
    case .failure(let new):
      let isKnown = error.map { isSame($0, new) } ?? false
      change { $0.end(load, .failure(new), isKnown: isKnown) }
    }
  }

  // MARK: Changing

  private func receive(
    _ result: Result<Value?, any Error>,
    _ origin: ValueOrigin?,
    from subscription: Int
  ) {
    let (present, error, isLoaded) = state.withLock { ($0.value, $0.error, $0.isLoaded) }
    switch result {
    case .success(let value):
      guard let new = state.withLock({ $0.resolve(value) }) else { return }
      // Most live keys deliver no value twice in a row, unless an error came in between.
      let mayRepeat = (key as? any LiveKey)?.mayRepeatValues ?? true
      let mustCompare = mayRepeat || error != nil || !isLoaded
      let isEqual = mustCompare && (present.map { areEqual($0, new) } ?? false)
      change(by: subscription) { $0.receive(new, origin, isEqual: isEqual) }
    case .failure(let new):
      let isKnown = error.map { isSame($0, new) } ?? false
      change(by: subscription) { $0.fail(new, isKnown: isKnown) }
    }
  }

  private func finish(_ error: any Error, from subscription: Int) {
    change(by: subscription) { $0.finish(error) }
  }

  private func isSame(_ error: any Error, _ other: any Error) -> Bool {
    String(describing: error) == String(describing: other)
  }

  /// Changes the state for a subscription, unless another one has replaced it.
  private func change(
    by subscription: Int,
    _ body: (inout SharedReferenceState<Value>) -> SharedReferenceState<Value>.Effects
  ) {
    change { $0.subscription == subscription ? body(&$0) : SharedReferenceState<Value>.Effects() }
  }

  /// Changes the state, and performs the effects outside the lock.
  private func change(
    _ body: (inout SharedReferenceState<Value>) -> SharedReferenceState<Value>.Effects
  ) {
    act(on: state.withLock { body(&$0) })
  }

  private func change(
    _ body: (inout SharedReferenceState<Value>) -> (
      SharedReferenceState<Value>.Load, SharedReferenceState<Value>.Effects
    )
  ) -> SharedReferenceState<Value>.Load {
    let (load, effects) = state.withLock { body(&$0) }
    act(on: effects)
    return load
  }

  private func act(on effects: SharedReferenceState<Value>.Effects) {
    if let failure = effects.failure { reporter?.report(failure, of: key) }
    if let change = effects.endedValue { valueSignal.didEnd(change) }
    if let change = effects.endedLoading { loadingSignal.didEnd(change) }
    for wakeup in effects.wakeups { wakeup.wake() }
  }
}
