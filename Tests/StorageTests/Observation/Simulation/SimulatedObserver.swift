import Dispatch
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

/// An observation of a probe, and everything that it has delivered.
final class SimulatedObserver: Sendable {
  enum Mode: Hashable, CaseIterable, Sendable {
    case immediate
    case async
    /// Callbacks on a queue that can be suspended, like a slow consumer.
    case queue
    /// The same for the changes from each value to the next, which are applied to an array.
    case changes
    /// A `for await` loop in a task, which ends at an error.
    case values
    /// A `for await` loop in a task, which continues after an error.
    case results

    /// Whether deliveries wait in a buffer until a task takes them.
    var isBuffered: Bool { self == .values || self == .results }
  }

  struct Delivery: Sendable {
    /// The number of the snapshot; `nil` for an error.
    let number: UInt64?
    let outcome: Outcome
  }

  private struct State {
    var undelivered: [Delivery] = []
    var last: Outcome?
    var deliveries = 0
    var hasEnded = false
    var isCancelled = false
    var lateDeliveries = 0
    var stop: (@Sendable () -> Void)?
    var explain: (@Sendable () -> ObservationExplanation?)?
    var isPaused = false
  }

  let id: Int
  let probe: Probe
  let reader: any DatabaseReader
  /// The name of the reader.
  let place: String
  let mode: Mode
  /// Whether it shares one observation with observers of equal probes.
  let isShared: Bool
  private let queue = DispatchQueue(label: "simulated observer")
  // Guards the deliveries and the state of the observation.
  private let state = Lock(State())

  init(
    id: Int,
    probe: Probe,
    reader: any DatabaseReader,
    place: String,
    mode: Mode,
    isShared: Bool
  ) {
    self.id = id
    self.probe = probe
    self.reader = reader
    self.place = place
    self.mode = mode
    self.isShared = isShared
  }

  func start() {
    let request = ProbeRequest(probe: probe)
    let unnumbered =
      isShared
      ? ValueObservation.tracking(request)
      : ValueObservation.tracking { db in try request.fetch(db) }
    let observation = unnumbered.numbered()
    switch mode {
    case .immediate: start(observation, scheduling: .immediate)
    case .async: start(observation, scheduling: .async)
    case .queue: start(observation, scheduling: .async(onQueue: queue))
    case .changes: startReplaying(unnumbered)
    case .values:
      startLoop { [self, reader] in
        var values = observation.values(in: reader).makeAsyncIterator()
        // `explain()` is safe on any thread.
        nonisolated(unsafe) let running = values
        state.withLock { $0.explain = { running.explain() } }
        do {
          while let value = try await values.next() { record(value) }
        } catch {
          record(error)
        }
      }
    case .results:
      startLoop { [self, reader] in
        var results = observation.results(in: reader).makeAsyncIterator()
        nonisolated(unsafe) let running = results
        state.withLock { $0.explain = { running.explain() } }
        while let result = await results.next() {
          switch result {
          case .success(let value): record(value)
          case .failure(let error): record(error)
          }
        }
      }
    }
  }

  private func startReplaying(_ observation: ValueObservation<[String]>) {
    let changes = observation.changes { last, new, patch in
      let changes = ElementChanges(from: last, to: new, patch: patch, id: { $0 }, areEqual: ==)
      // Rows may be equal, which is reported otherwise.
      return ElementChanges(
        removed: changes.removed,
        inserted: changes.inserted,
        updated: changes.updated,
        moved: changes.moved
      )
    }
    let items = Lock<[String]>([])
    let cancellable = changes.numbered().start(
      in: reader,
      scheduling: .async(onQueue: queue),
      onError: { [self] in record($0) },
      onChange: { [self] changes in
        let rows = items.withLock { items in
          changes.value.apply(to: &items)
          return items
        }
        record(Delivery(number: changes.number, outcome: .rows(rows)))
      }
    )
    state.withLock { state in
      state.stop = { cancellable.cancel() }
      state.explain = { cancellable.explain() }
    }
  }

  private func startLoop(_ loop: @escaping @Sendable () async -> Void) {
    let task = Task {
      await loop()
      state.withLock { $0.hasEnded = true }
    }
    state.withLock { $0.stop = { task.cancel() } }
  }

  private func start(
    _ observation: ValueObservation<Numbered<[String]>>,
    scheduling scheduler: some ValueObservationScheduler
  ) {
    let cancellable = observation.start(
      in: reader,
      scheduling: scheduler,
      onError: { [self] in record($0) },
      onChange: { [self] in record($0) }
    )
    state.withLock { state in
      state.stop = { cancellable.cancel() }
      state.explain = { cancellable.explain() }
    }
  }

  func cancel() {
    resume()
    let stop = state.withLock { $0.stop }
    stop?()
    state.withLock { state in
      state.stop = nil
      state.explain = nil
      state.isCancelled = true
    }
  }

  /// Suspends the queue of the callbacks.
  func pause() {
    guard mode == .queue || mode == .changes else { return }
    let mustSuspend = state.withLock { state in
      defer { state.isPaused = true }
      return !state.isPaused
    }
    if mustSuspend { queue.suspend() }
  }

  func resume() {
    let mustResume = state.withLock { state in
      defer { state.isPaused = false }
      return state.isPaused
    }
    if mustResume { queue.resume() }
  }

  private func record(_ value: Numbered<[String]>) {
    record(Delivery(number: value.number, outcome: .rows(value.value)))
  }

  private func record(_ error: any Error) {
    record(Delivery(number: nil, outcome: Outcome(error)))
  }

  private func record(_ delivery: Delivery) {
    state.withLock { state in
      if state.isCancelled { state.lateDeliveries += 1 }
      state.undelivered.append(delivery)
      state.deliveries += 1
      state.last = delivery.outcome
    }
  }

  /// The region of the observation, and why it ran.
  var explanation: ObservationExplanation? {
    let explain = state.withLock { $0.explain }
    return explain?()
  }

  // MARK: Deliveries

  /// The number of values and errors so far.
  var deliveries: Int { state.withLock { $0.deliveries } }
  /// The last value or error.
  var last: Outcome? { state.withLock { $0.last } }
  /// The number of times that the probe has run.
  var fetches: Int { probe.fetches.value }
  /// Whether its loop has ended.
  var hasEnded: Bool { state.withLock { $0.hasEnded } }
  /// Whether the end of its loop is legitimate: only an error ends a loop over values, and nothing
  /// ends the other modes.
  var mayHaveEnded: Bool {
    guard mode == .values, case .failure = last else { return false }
    return true
  }
  /// The number of deliveries after `cancel()`. One may have been under way.
  var lateDeliveries: Int { state.withLock { $0.lateDeliveries } }

  /// Returns the deliveries since the last call.
  func takeDeliveries() -> [Delivery] {
    state.withLock { state in
      defer { state.undelivered = [] }
      return state.undelivered
    }
  }
}

extension SimulatedObserver: CustomStringConvertible {
  var description: String {
    "observer \(id) in \(place) (\(mode)\(isShared ? ", shared" : "")): \(probe.description)"
  }
}
