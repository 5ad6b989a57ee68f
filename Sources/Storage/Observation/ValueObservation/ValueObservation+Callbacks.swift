internal import Dispatch

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

extension ValueObservation {
  /// Calls closures when something happens to the observation, for debugging.
  ///
  /// Such an observation does not share its query with other observations.
  ///
  /// - Parameters:
  ///   - willStart: The observation is being started.
  ///   - willFetch: The query is about to run. The closure is called inside the database access.
  ///   - willTrackRegion: The query has read another part of the database than the last time. The
  ///     closure is called inside the database access.
  ///   - databaseDidChange: The query runs again, because something that it reads has changed or
  ///     may have, or because it has failed before. The closure is called inside the database
  ///     access, once for several commits that came together.
  ///   - didReceiveValue: A value is being delivered: the value at this point in the chain of
  ///     operators.
  ///   - didFail: An error is being delivered.
  ///   - didCancel: The observation has ended, because it was cancelled or its iteration ended.
  /// - Returns: An observation that has not been started.
  public func handleEvents(
    willStart: (@Sendable () -> Void)? = nil,
    willFetch: (@Sendable () -> Void)? = nil,
    willTrackRegion: (@Sendable (DatabaseRegion) -> Void)? = nil,
    databaseDidChange: (@Sendable () -> Void)? = nil,
    didReceiveValue: (@Sendable (Value) -> Void)? = nil,
    didFail: (@Sendable (any Error) -> Void)? = nil,
    didCancel: (@Sendable () -> Void)? = nil
  ) -> ValueObservation {
    let handlers = QueryEventHandlers(
      willFetch: willFetch,
      willTrackRegion: willTrackRegion,
      databaseDidChange: databaseDidChange
    )
    let handled: ObservationPipeline<Value> = pipeline.handling(handlers).appending {
      { event in
        switch event {
        case .value(let numbered): didReceiveValue?(numbered.value)
        case .failure(let error): didFail?(error)
        case .closed: didFail?(DatabaseError.databaseIsClosed)
        }
        return event
      }
    }
    var observation = with(handled)
    if let willStart { observation.options.willStart.append(willStart) }
    if let didCancel { observation.options.didCancel.append(didCancel) }
    return observation
  }

  /// Prints the events of the observation, a line for each event.
  ///
  ///     let printed = observation.print("items")
  ///     // items: start
  ///     // items: fetch
  ///     // items: tracked region: item(id,name)
  ///     // items: value: […]
  ///
  /// - Parameters:
  ///   - prefix: The beginning of each line.
  ///   - stream: Where the lines go; the standard output unless it is given. It is called on
  ///     various threads, one call at a time.
  /// - Returns: An observation that has not been started.
  public func print(
    _ prefix: String = "",
    to stream: (any TextOutputStream & Sendable)? = nil
  ) -> ValueObservation {
    let output = LineOutput(prefix: prefix.isEmpty ? "" : "\(prefix): ", stream: stream)
    return handleEvents(
      willStart: { output.write("start") },
      willFetch: { output.write("fetch") },
      willTrackRegion: { output.write("tracked region: \($0)") },
      databaseDidChange: { output.write("database did change") },
      didReceiveValue: { output.write("value: \($0)") },
      didFail: { output.write("failure: \($0)") },
      didCancel: { output.write("cancel") }
    )
  }
}

/// Writes lines from various threads.
private final class LineOutput: @unchecked Sendable {
  // Safe to share: the stream is used on the queue only.
  private let prefix: String
  private var stream: (any TextOutputStream & Sendable)?
  private let queue = DispatchQueue(label: "wellspring.print")

  init(prefix: String, stream: (any TextOutputStream & Sendable)?) {
    self.prefix = prefix
    self.stream = stream
  }

  func write(_ event: String) {
    let line = prefix + event
    queue.sync {
      if stream == nil { Swift.print(line) } else { stream?.write(line + "\n") }
    }
  }
}
