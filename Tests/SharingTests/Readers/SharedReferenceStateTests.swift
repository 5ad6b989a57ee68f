@testable import Sharing
import Testing

/// Values are texts. The effects of a change are written as text, such as `value 0 ended, woke 1`.
@Suite struct SharedReferenceStateTests {
  private struct Broken: Error {}
  private typealias State = SharedReferenceState<String>

  /// Makes a state with one waiter.
  private func makeState(_ initialValue: String? = "initial") -> State {
    var state = State(initialValue: initialValue)
    state.add(Wakeup())
    return state
  }

  private func text(_ effects: State.Effects) -> String {
    var parts: [String] = []
    if let number = effects.endedValue { parts.append("value \(number) ended") }
    if let number = effects.endedLoading { parts.append("loading \(number) ended") }
    if !effects.wakeups.isEmpty { parts.append("woke \(effects.wakeups.count)") }
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }

  // MARK: Values and errors

  @Test func `a new value ends the state that was read, and wakes the waiters`() {
    var state = makeState()
    #expect(state.noteValueRead() == 0)
    #expect(text(state.receive("a", isEqual: false)) == "value 0 ended, woke 1")
    #expect(state.value == "a")
    #expect(state.isLoaded && state.hasReceived)
  }

  @Test func `the end of a state that was not read is no effect`() {
    var state = makeState()
    #expect(text(state.receive("a", isEqual: false)) == "woke 1")
    #expect(state.noteValueRead() == 1)
    #expect(text(state.receive("b", isEqual: false)) == "value 1 ended, woke 1")
    #expect(text(state.receive("c", isEqual: false)) == "woke 1")
  }

  @Test func `a first value that equals the initial one only wakes the waiters`() {
    var state = makeState("a")
    _ = state.noteValueRead()
    #expect(text(state.receive("a", isEqual: true)) == "woke 1")
    #expect(text(state.receive("a", isEqual: true)) == "none")
    #expect(state.valueChanges == 0 && state.events == 0)
  }

  @Test func `an error keeps the value, and the next value clears the error`() {
    var state = makeState()
    _ = state.receive("a", isEqual: false)
    _ = (state.noteValueRead(), state.noteLoadingRead())
    #expect(text(state.fail(Broken(), isKnown: false)) == "loading 0 ended, woke 1")
    #expect(state.value == "a" && state.error is Broken)
    _ = state.noteLoadingRead()
    #expect(text(state.fail(Broken(), isKnown: true)) == "none")
    #expect(text(state.receive("a", isEqual: true)) == "loading 1 ended, woke 1")
    #expect(state.error == nil)
    #expect(state.valueChanges == 1 && state.events == 3)
  }

  @Test func `the final error keeps the value and finishes the state`() {
    var state = makeState()
    _ = state.receive("a", isEqual: false)
    #expect(text(state.finish(Broken())) == "woke 1")
    #expect(state.isFinished && state.value == "a" && state.error is Broken)
    #expect(state.errorBeforeEnd == nil && state.events == 1)
  }

  @Test func `a subscription is replaced until it delivers a value or an error`() {
    var new = makeState()
    let isReplaced = (new.replaceSubscription(), new.replaceSubscription())
    #expect(isReplaced == (true, true))
    #expect(new.subscription == 2)
    _ = new.receive("a", isEqual: false)
    var failed = makeState()
    _ = failed.fail(Broken(), isKnown: false)
    let isReplacedLate = (new.replaceSubscription(), failed.replaceSubscription())
    #expect(isReplacedLate == (false, false))
    #expect(new.subscription == 2 && failed.subscription == 0)
  }

  @Test func `an initial value is provided once, and stands in for a missing value`() {
    var state = makeState(nil)
    #expect(state.value == nil && state.resolve(nil) == nil)
    _ = state.provide(initialValue: "initial")
    _ = state.provide(initialValue: "late")
    #expect(state.value == "initial" && !state.isLoaded)
    _ = state.receive("a", isEqual: false)
    #expect(state.resolve(nil) == "initial")
    #expect(state.resolve("b") == "b")
  }

  @Test func `replaced values and errors leave with the effects`() {
    var state = makeState()
    #expect(state.receive("a", isEqual: false).replaced.value == "initial")
    _ = state.fail(Broken(), isKnown: false)
    let replaced = state.receive("b", isEqual: false).replaced
    #expect(replaced.value == "a" && replaced.error is Broken)
  }

  @Test func `a removed waiter is not woken`() {
    var state = State(initialValue: "initial")
    let (first, second) = (Wakeup(), Wakeup())
    state.add(first)
    state.add(second)
    state.remove(first)
    #expect(state.receive("a", isEqual: false).wakeups.map { $0 === second } == [true])
  }

  // MARK: Loading

  @Test func `the state is loading from the first start to the last end of overlapping loads`() {
    var state = makeState()
    _ = state.noteLoadingRead()
    let (first, start) = state.beginLoad()
    #expect(text(start) == "loading 0 ended")
    _ = state.noteLoadingRead()
    let (second, overlap) = state.beginLoad()
    #expect(text(overlap) == "none")
    #expect(text(state.end(first, nil, isKnown: false)) == "none")
    #expect(state.loading.isLoading)
    #expect(text(state.end(second, nil, isKnown: false)) == "loading 1 ended")
    #expect(!state.loading.isLoading)
  }

  @Test func `the result of a load is shown`() {
    var state = makeState()
    _ = state.noteValueRead()
    let (load, _) = state.beginLoad()
    #expect(text(state.end(load, .success("a"), isKnown: false)) == "value 0 ended, woke 1")
    #expect(state.value == "a" && !state.hasReceived)
  }

  @Test func `the result of a load is dropped if the subscription delivered meanwhile`() {
    var state = makeState()
    let (load, _) = state.beginLoad()
    _ = state.receive("newer", isEqual: false)
    #expect(text(state.end(load, .success("older"), isKnown: false)) == "none")
    #expect(state.value == "newer")
    let (failing, _) = state.beginLoad()
    _ = state.receive("newest", isEqual: false)
    _ = state.end(failing, .failure(Broken()), isKnown: false)
    #expect(state.value == "newest" && state.error == nil)
  }

  @Test func `a subscription that loads makes the state loading, and repeats have no effect`() {
    var state = makeState()
    _ = state.noteLoadingRead()
    #expect(text(state.setLoading(true)) == "loading 0 ended")
    _ = state.noteLoadingRead()
    #expect(text(state.setLoading(true)) == "none")
    #expect(state.loading.isLoading)
    #expect(text(state.setLoading(false)) == "loading 1 ended")
    #expect(!state.loading.isLoading)
  }

  @Test func `one change reports the end of the loading state once`() {
    var state = makeState()
    _ = state.fail(Broken(), isKnown: false)
    let (load, _) = state.beginLoad()
    let number = state.noteLoadingRead()
    // The value clears the error, and the load ends: two changes of the loading status.
    #expect(
      text(state.end(load, .success("a"), isKnown: false)) == "loading \(number) ended, woke 1"
    )
    #expect(state.noteLoadingRead() == number + 2)
  }

  // MARK: Reporting

  private func failure(_ effects: State.Effects) -> Bool { effects.failure != nil }

  @Test func `an error that a reader shows is a failure, once`() {
    var state = makeState()
    #expect(failure(state.fail(Broken(), isKnown: false)))
    #expect(!failure(state.fail(Broken(), isKnown: true)))
    _ = state.receive("a", isEqual: false)
    #expect(failure(state.fail(Broken(), isKnown: false)))
  }

  @Test func `an error that no reader shows becomes a failure when a reader shows it`() {
    var state = makeState(nil)
    #expect(!failure(state.fail(Broken(), isKnown: false)))
    #expect(failure(state.provide(initialValue: "a")))
    #expect(!failure(state.provide(initialValue: "b")))
  }

  @Test func `an error that a caller receives is no failure`() {
    var state = makeState()
    state.beginCall()
    #expect(!failure(state.fail(Broken(), isKnown: false)))
    #expect(!failure(state.endCall(hasThrown: true)))
    #expect(failure(state.fail(Broken(), isKnown: false)))
  }

  @Test func `an error that no caller has received is a failure after the last call`() {
    var state = makeState()
    state.beginCall()
    state.beginCall()
    #expect(!failure(state.fail(Broken(), isKnown: false)))
    #expect(!failure(state.endCall(hasThrown: false)))
    #expect(failure(state.endCall(hasThrown: false)))
  }

  @Test func `an error that has passed before the end of the call is no failure`() {
    var state = makeState()
    state.beginCall()
    _ = state.fail(Broken(), isKnown: false)
    _ = state.receive("a", isEqual: false)
    #expect(!failure(state.endCall(hasThrown: false)))
  }

  @Test func `the end of the database is a failure only of a reader that has received nothing`() {
    var new = makeState()
    #expect(failure(new.finish(Broken())))
    var old = makeState()
    _ = old.receive("a", isEqual: false)
    #expect(!failure(old.finish(Broken())))
  }
}
