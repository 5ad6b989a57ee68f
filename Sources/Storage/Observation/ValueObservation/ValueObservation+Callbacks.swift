extension ValueObservation {
  /// Starts the observation, and calls closures with its values and errors.
  ///
  ///     let cancellable = observation.start(in: pool) { error in
  ///       print(error)
  ///     } onChange: { items in
  ///       print(items.count)
  ///     }
  ///
  /// An error does not end the observation: `onChange` is called again when the query succeeds. The
  /// database may be used from the closures in any way. The observation keeps the database open;
  /// when it is closed, `onError` is called with a ``DatabaseError``, and nothing follows.
  ///
  /// - Parameters:
  ///   - reader: A ``DatabasePool`` or a ``DatabaseQueue``.
  ///   - scheduler: Where the closures are called, one call at a time; by default on threads of the
  ///     library. With `.immediate` the first call comes before `start` returns.
  ///   - onError: Called when the query fails; once for an error that persists.
  ///   - onChange: Called with each value.
  /// - Returns: An object that ends the observation, when it is cancelled or released.
  public func start(
    in reader: some DatabaseReader,
    scheduling scheduler: some ValueObservationScheduler = .async,
    onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable (Value) -> Void
  ) -> AnyDatabaseCancellable {
    start(reader.observableCore, scheduler, onError: onError) { value, _ in onChange(value) }
  }

  /// Starts the observation, and calls closures with its errors, and with its values and how they
  /// came about: see ``start(in:scheduling:onError:onChange:)-(_,ValueObservationScheduler,_,_)``.
  package func startTracing(
    in reader: some DatabaseReader,
    scheduling scheduler: any ValueObservationScheduler,
    onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable (Value, ValueOrigin?) -> Void
  ) -> AnyDatabaseCancellable {
    start(reader.observableCore, scheduler, onError: onError, onChange: onChange)
  }

  func start(
    _ core: DatabaseCore,
    _ scheduler: any ValueObservationScheduler,
    onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable (Value, ValueOrigin?) -> Void
  ) -> AnyDatabaseCancellable {
    let live = pipeline.callback(in: core, options: options, scheduler: scheduler) { event in
      switch event.kind {
      case .value: if let new = event.value(of: Value.self) { onChange(new.value, new.origin) }
      case .failure(let error): onError(error)
      case .closed: onError(DatabaseError.databaseIsClosed)
      }
    }
    if scheduler.isImmediate { live.startAndWait() } else { live.start() }
    return AnyDatabaseCancellable(live)
  }
}

extension ValueObservation {
  /// Starts the observation, and calls closures on the main actor: see
  /// ``start(in:scheduling:onError:onChange:)-(_,ValueObservationScheduler,_,_)``.
  public func start(
    in reader: some DatabaseReader,
    scheduling scheduler: MainActorScheduler,
    onError: @escaping @MainActor (any Error) -> Void,
    onChange: @escaping @MainActor (Value) -> Void
  ) -> AnyDatabaseCancellable {
    start(
      reader.observableCore,
      scheduler,
      onError: { error in MainActor.assumeIsolated { onError(error) } },
      onChange: { value, _ in MainActor.assumeIsolated { onChange(value) } }
    )
  }
}
