import Storage
import TestSupport

extension Simulation {
  /// Starts an observer of a random probe.
  ///
  /// - Parameter preferred: The tables to choose from, unless none of these tables exists.
  func startObserver(of preferred: [TableReference] = []) {
    guard observers.count < world.maximumObservers else { return cancelObserver() }
    // Queries that can be patched are patched in the pools that write.
    let isPatched = random.chance(40)
    let (place, reader) = world.readers[
      random.pick(weighted: isPatched ? [0: 5, 1: 5] : [0: 6, 1: 2, 2: 2])
    ]
    lastObserver += 1
    // Sometimes choose a probe that is already observed, perhaps as the same observation.
    let known = observers.filter { $0.place == place }.map(\.probe)
    let generator = ProbeGenerator(schema: world.schema, preferred: preferred)
    var probe =
      isPatched
      ? generator.patchedProbe(&random)
      : random.chance(25) ? random.pick(known) : generator.probe(&random)
    let isShared = isPatched || random.chance(50)
    // Live observers of one observation share a count of runs. A cancelled loop keeps its own: it
    // may still run its probe if it was cancelled before it began.
    let same = observers.first { other in
      isShared && other.isShared && other.place == place
        && other.probe.description == probe?.description
    }
    probe?.fetches = same?.probe.fetches ?? FetchCount()
    if random.chance(20) { probe?.isSlow = true }
    guard let probe else { return }
    let observer = SimulatedObserver(
      id: lastObserver,
      probe: probe,
      reader: reader,
      place: place,
      mode: isPatched && random.chance(40)
        ? .changes : random.pick(SimulatedObserver.Mode.allCases)!,
      isShared: isShared
    )
    note("start \(observer)")
    counts.observers += 1
    world.oracle.add(observer)
    observer.start()
    observers.append(observer)
  }

  func cancelObserver() {
    guard let index = observers.indices.randomElement(using: &random) else { return }
    cancelObserver(at: index)
  }

  func cancelObserver(at index: Int) {
    let observer = observers.remove(at: index)
    note("cancel observer \(observer.id)")
    observer.cancel()
    ending.append(observer)
    world.oracle.remove(observer)
  }
}
