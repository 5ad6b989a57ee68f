@testable import Storage
import Testing

@Suite struct BrokerStateMachineTests {
  // MARK: Marking

  @Test func `a commit runs the queries that it touches, in one batch`() {
    var script = BrokerScript()
    script.add("a c", reads: "item")
    script.add("b", reads: "shop")
    #expect(script.commit(1, "item") == "batches")
    #expect(script.take() == "a c")
    // The present runner takes the query that is due meanwhile.
    #expect(script.commit(2, "shop") == "nothing")
    #expect(script.end("a c", in: 1, reads: "item") == "nothing")
    #expect(script.take() == "b")
    #expect(script.end("b", in: 2, reads: "shop") == "nothing")
    #expect(script.take() == "none")
    #expect(script.commit(3, "other") == "nothing")
    #expect(script.commit(4, "*") == "batches")
    #expect(script.take() == "a b c")
  }

  // The snapshot may have rows that the foreign commits have changed and changed back.
  @Test func `foreign commits touch a query whose snapshot was not exact`() {
    var script = BrokerScript()
    script.add("a b", reads: "t")
    #expect(script.commit(1, "t") == "batches")
    #expect(script.take() == "a b")
    #expect(script.end("a", in: 1, exactly: false) == "nothing")
    #expect(script.end("b", in: 1) == "nothing")
    #expect(script.take() == "none")
    #expect(script.commit(2, "other") == "nothing")
    #expect(script.commit(3, "other", isForeign: true) == "batches")
    #expect(script.take() == "a")
    #expect(script.end("a", in: 3) == "nothing")
    #expect(script.take() == "none")
    #expect(script.commit(4, "other", isForeign: true) == "nothing")
  }

  @Test func `foreign commits that end before such a run touch it, too`() {
    var script = BrokerScript()
    script.add("a", reads: "t")
    #expect(script.commit(1, "t") == "batches")
    #expect(script.take() == "a")
    #expect(script.commit(2, "other", isForeign: true) == "nothing")
    #expect(script.end("a", in: 1, exactly: false) == "nothing")
    #expect(script.take() == "a")
    #expect(script.end("a", in: 2) == "nothing")
    #expect(script.take() == "none")
  }

  @Test func `a commit that is in a query's snapshot does not touch it`() {
    var script = BrokerScript()
    script.add("a", reads: "t")
    #expect(script.commit(5, "t") == "batches")
    #expect(script.take() == "a")
    #expect(script.end("a", in: 7) == "nothing")
    #expect(script.take() == "none")
    #expect(script.commit(6, "t") == "nothing")
    #expect(script.commit(7, "t") == "nothing")
    #expect(script.commit(8, "t") == "batches")
  }

  @Test func `commits that come during a run make the query run once more`() {
    var script = BrokerScript()
    script.add("a", reads: "t")
    #expect(script.commit(1, "t") == "batches")
    #expect(script.take() == "a")
    #expect(script.commit(2, "t") == "nothing")
    #expect(script.commit(3, "t") == "nothing")
    #expect(script.take() == "none")
    // The runner has gone: the end of the run starts another runner.
    #expect(script.end("a", in: 1) == "batches")
    #expect(script.take() == "a")
    #expect(script.end("a", in: 3) == "nothing")
    #expect(script.take() == "none")
  }

  @Test func `a transaction that began before a region was indexed touches it by its tables`() {
    var script = BrokerScript()
    let before = script.growth
    script.add("a", reads: "item(name)[1]")
    #expect(script.growth == before + 1)
    #expect(script.commit(1, "", tables: ["shop"], at: before) == "nothing")
    #expect(script.commit(2, "", tables: ["item"]) == "nothing")
    #expect(script.commit(3, "", tables: ["item"], at: before) == "batches")
  }

  @Test func `only regions that were indexed after a transaction began are in doubt`() {
    var script = BrokerScript()
    script.add("a", reads: "item(name)[1]")
    let before = script.growth
    script.add("b", reads: "item(price)[2]")
    #expect(script.commit(1, "", tables: ["item"], at: before) == "batches")
    #expect(script.take() == "b")
  }

  @Test func `a commit during a query's first run counts when the query has read its tables`() {
    var script = BrokerScript()
    for name in ["a", "b", "c"] { #expect(script.start(name) == "run") }
    #expect(script.commit(1, "", tables: ["item"]) == "nothing")
    #expect(script.end("a", in: 0, reads: "item") == "batches")
    #expect(script.end("b", in: 1, reads: "item") == "nothing")
    #expect(script.end("c", in: 0, reads: "shop") == "nothing")
    #expect(script.take() == "a")
    #expect(script.end("a", in: 1, reads: "item") == "nothing")
    #expect(script.take() == "none")
    #expect(script.machine.recentCommits.isEmpty)
  }

  @Test func `a commit after a first run's snapshot counts behind one that is in the snapshot`() {
    var script = BrokerScript()
    #expect(script.start("a") == "run")
    #expect(script.commit(1, "", tables: ["item"]) == "nothing")
    #expect(script.commit(2, "", tables: ["item"]) == "nothing")
    #expect(script.end("a", in: 1, reads: "item") == "batches")
  }

  @Test func `a query whose first run could not be made may depend on anything`() {
    var script = BrokerScript()
    _ = script.start("a")
    let query = BrokerScript.Query(name: "a")
    let changes = script.machine.runsDidEnd(
      of: [query],
      [Delivery(run: QueryRun(), mustDeliver: true, hasFailed: true)],
      in: .none,
      now: 0
    )
    #expect(changes.hasGrown)
    #expect(script.deliver("a", in: 0) == "nothing")
    #expect(script.commit(1, "whatever") == "batches")
  }

  @Test func `very many commits during a run count as one that changed everything`() {
    var script = BrokerScript()
    _ = script.start("a")
    for number in 1...257 {
      #expect(script.commit(UInt64(number), "", tables: ["shop"]) == "nothing")
    }
    #expect(script.machine.recentCommits.count == 1)
    #expect(script.end("a", in: 0, reads: "item") == "batches")
  }

  @Test func `the last eight commits that touched a query are remembered`() {
    var script = BrokerScript()
    script.add("a", reads: "t")
    for number in 1...10 { _ = script.commit(UInt64(number), "t") }
    let (region, wakeUps, _, _) = script.machine.explanation(of: BrokerScript.Query(name: "a").id)
    #expect(region == DatabaseRegion("t"))
    #expect(wakeUps.map(\.number.rawValue) == Array(3...10))
  }

  // MARK: Batches

  @Test func `a batch takes no longer than 50 ms, and the query that waited longest comes first`() {
    var script = BrokerScript()
    script.add("a b c d e f g h", reads: "t", took: 9)
    #expect(script.commit(1, "t") == "batches")
    #expect(script.take() == "a b c d e")
    #expect(script.commit(2, "t") == "nothing")
    #expect(script.end("a b c d e", in: 1, took: 9) == "nothing")
    #expect(script.take() == "f g h a b")
    #expect(script.end("f g h a b", in: 2, took: 9) == "nothing")
    #expect(script.take() == "c d e")
  }

  @Test func `a runner waits awake while commits come in quick succession`() {
    var script = BrokerScript()
    script.add("a", reads: "t")
    func run(_ number: UInt64, _ script: inout BrokerScript) {
      #expect(script.take() == "a")
      #expect(script.end("a", in: number) == "nothing")
      #expect(script.take() == "none")
    }
    #expect(script.commit(1, "t") == "batches")
    run(1, &script)
    #expect(script.waitsAwake() == false)
    script.now += 99
    #expect(script.commit(2, "t") == "batches")
    run(2, &script)
    #expect(script.waitsAwake() == true)
    #expect(script.commit(3, "t") == "wake")
    #expect(script.machine.endWaiting() == true)
    run(3, &script)
    #expect(script.waitsAwake() == true)
    #expect(script.machine.endWaiting() == false)
    script.now += 100
    #expect(script.commit(4, "t") == "batches")
    run(4, &script)
    #expect(script.waitsAwake() == false)
  }

  @Test func `a runner does not wait beside another one`() {
    var script = BrokerScript()
    script.add("a", reads: "t")
    script.now = 1
    #expect(script.commit(1, "t") == "batches")
    #expect(script.take() == "a")
    #expect(script.end("a", in: 1) == "nothing")
    #expect(script.take() == "none")
    // Before the first runner has made its calls.
    #expect(script.commit(2, "t") == "batches")
    #expect(script.waitsAwake() == false)
  }

  // MARK: Slow queries

  @Test func `a slow query runs separately`() {
    var script = BrokerScript()
    script.add("a", reads: "t", took: 11)
    script.add("b", reads: "t", took: 10)
    #expect(script.commit(1, "t") == "batches, slow a")
    #expect(script.take() == "b")
    #expect(script.end("b", in: 1) == "nothing")
    #expect(script.take() == "none")
    // The quick query does not wait for the slow one.
    #expect(script.commit(2, "t") == "batches")
    #expect(script.take() == "b")
    #expect(script.end("a", in: 1, took: 11, as: .slow) == "slow a")
  }

  @Test func `a query is slow after two slow runs, and quick after one quick run`() {
    var script = BrokerScript()
    script.add("a", reads: "t", took: 1)
    #expect(script.commit(1, "t") == "batches")
    #expect(script.take() == "a")
    #expect(script.end("a", in: 1, took: 20) == "nothing")
    #expect(script.commit(2, "t") == "nothing")
    #expect(script.take() == "a")
    #expect(script.end("a", in: 2, took: 20) == "nothing")
    #expect(script.take() == "none")
    #expect(script.commit(3, "t") == "slow a")
    #expect(script.end("a", in: 3, took: 1, as: .slow) == "nothing")
    #expect(script.commit(4, "t") == "batches")
  }

  @Test func `slow queries leave a reader to quick queries, and one to other reads`() {
    var script = BrokerScript(readers: 4)
    script.add("a b c", reads: "t", took: 20)
    #expect(script.commit(1, "t") == "slow a, slow b")
    #expect(script.commit(2, "t") == "nothing")
    #expect(script.end("a", in: 1, took: 20, as: .slow) == "slow c")
    #expect(script.end("b", in: 1, took: 20, as: .slow) == "slow a")
  }

  @Test func `one slow query runs however few readers there are`() {
    var script = BrokerScript(readers: 1)
    script.add("a b", reads: "t", took: 20)
    #expect(script.commit(1, "t") == "slow a")
    #expect(script.end("a", in: 1, took: 20, as: .slow) == "slow b")
  }

  // MARK: First runs

  @Test func `first runs leave a reader to other queries, and begin in their order`() {
    var script = BrokerScript(readers: 3)
    #expect(script.submit("a") == "first a")
    #expect(script.submit("b") == "first b")
    #expect(script.submit("c") == "nothing")
    #expect(script.submit("d") == "nothing")
    #expect(script.end("b", in: 0, as: .first) == "first c")
    #expect(script.end("a", in: 0, as: .first) == "first d")
  }

  @Test func `a query that was removed before its first run is passed over`() {
    var script = BrokerScript(readers: 2)
    #expect(script.submit("a") == "first a")
    for name in ["b", "c", "d"] { #expect(script.submit(name) == "nothing") }
    #expect(script.remove("b") == "nothing")
    #expect(script.remove("c") == "nothing")
    #expect(script.end("a", in: 0, as: .first) == "first d, release b, release c")
    #expect(script.end("d", in: 0, as: .first) == "nothing")
    #expect(script.machine.unindexedRuns == 0)
  }

  @Test func `slow queries and first runs share the readers`() {
    var script = BrokerScript(readers: 4)
    script.add("a b", reads: "t", took: 20)
    #expect(script.submit("x") == "first x")
    #expect(script.submit("y") == "first y")
    // One of four is left for quick queries.
    #expect(script.commit(1, "t") == "slow a")
    #expect(script.submit("z") == "nothing")
    #expect(script.end("a", in: 1, took: 20, as: .slow) == "slow b, first z")
  }

  // MARK: New subscribers

  @Test func `a subscriber to a live query gets its value when that is current`() {
    var script = BrokerScript()
    #expect(script.start("a") == "run")
    #expect(script.start("a") == "pending")
    #expect(script.end("a", in: 0) == "nothing")
    #expect(script.commit(1, "other") == "nothing")
    #expect(script.start("a") == "current at 1")
    #expect(script.commit(2, "t") == "batches")
    #expect(script.start("a") == "pending")
    #expect(script.take() == "a")
    #expect(script.start("a") == "pending")
    #expect(script.end("a", in: 2) == "nothing")
    #expect(script.start("a") == "current at 2")
  }

  @Test func `subscribers that came during a run get its value`() {
    var script = BrokerScript()
    script.add("a b", reads: "t")
    #expect(script.commit(1, "t") == "batches")
    #expect(script.take() == "a b")
    #expect(script.commit(2, "other") == "nothing")
    script.read("a b", in: 1, reads: "t")
    #expect(script.deliver("a b", in: 1, joined: "a") == "deliver a up to 2")
    #expect(script.commit(3, "t") == "nothing")
    #expect(script.take() == "a b")
    #expect(script.commit(4, "t") == "nothing")
    script.read("a b", in: 3, reads: "t")
    #expect(script.deliver("a b", in: 3, joined: "b") == "deliver b up to 3")
  }

  // MARK: Retries

  @Test func `P8: a query that failed is tried again until it succeeds`() {
    var script = BrokerScript()
    _ = script.start("a")
    #expect(script.planRetry() == nil)
    #expect(script.end("a", in: 0, fails: true) == "nothing")
    #expect(script.planRetry() == 1)
    // A timer is set by now.
    #expect(script.planRetry() == nil)
    script.now += 999_999
    #expect(script.retryFailed() == "nothing")
    script.now += 1
    #expect(script.retryFailed() == "batches")
    #expect(script.take() == "a")
    #expect(script.end("a", in: 0, fails: true) == "nothing")
    script.machine.plannedRetryDidFire(script.now * 1000)
    #expect(script.planRetry() == 2)
    script.now += 2_000_000
    #expect(script.retryFailed() == "nothing")
    #expect(script.take() == "a")
    #expect(script.end("a", in: 0) == "nothing")
    script.now += 100_000_000
    #expect(script.take() == "none")
    #expect(script.retryFailed() == "nothing")
  }

  @Test func `a time that was read before the last batch ended is no error`() {
    var script = BrokerScript()
    _ = script.start("a")
    #expect(script.end("a", in: 0, fails: true) == "nothing")
    script.now += 1_000_001
    #expect(script.take() == "none")
    let waitsAwake = script.waitsAwake()
    #expect(!waitsAwake)
    script.now -= 1
    #expect(script.retryFailed() == "batches")
  }

  @Test func `P8: a commit runs a query that failed before its time has come`() {
    var script = BrokerScript()
    script.add("a", reads: "t")
    #expect(script.commit(1, "t") == "batches")
    #expect(script.take() == "a")
    #expect(script.end("a", in: 1, fails: true) == "nothing")
    #expect(script.commit(2, "t") == "nothing")
    #expect(script.take() == "a")
  }

  // MARK: Waiters

  @Test func `a waiter is resumed when a query has run for the commits before the wait`() {
    var script = BrokerScript()
    script.add("a b", reads: "t")
    let a = BrokerScript.Query(name: "a").id
    #expect(script.machine.wait("w", for: a) == false)
    #expect(script.commit(1, "t") == "batches")
    #expect(script.machine.wait("w", for: a) == true)
    #expect(script.take() == "a b")
    #expect(script.deliver("b", in: 1) == "nothing")
    // A later commit does not prolong the wait.
    #expect(script.commit(2, "t") == "nothing")
    #expect(script.end("a", in: 1) == "resume w")
    #expect(script.machine.wait("v", for: a) == true)
    #expect(script.take() == "a b")
    #expect(script.end("a b", in: 2) == "resume v")
  }

  @Test func `quiescence includes all queries and the deliveries to new subscribers`() {
    var script = BrokerScript()
    script.add("a", reads: "item")
    script.add("b", reads: "shop")
    #expect(script.machine.waitForAll("w") == false)
    #expect(script.commit(1, "item shop") == "batches")
    #expect(script.machine.waitForAll("w") == true)
    #expect(script.take() == "a b")
    script.read("a b", in: 1, reads: "item")
    #expect(script.deliver("b", in: 1) == "nothing")
    #expect(script.deliver("a", in: 1, joined: "a") == "deliver a up to 1")
    #expect(script.machine.waitForAll("v") == true)
    #expect(script.endLateDeliveries("a") == "resume w, resume v")
    #expect(script.machine.waitForAll("u") == false)
  }

  @Test func `a refetch is waited for though nothing has changed`() {
    var script = BrokerScript()
    script.add("a", reads: "t")
    let a = BrokerScript.Query(name: "a").id
    #expect(script.commit(1, "other") == "nothing")
    #expect(script.refetch("a") == "batches")
    #expect(script.machine.wait("w", for: a) == true)
    #expect(script.take() == "a")
    #expect(script.end("a", in: 1) == "resume w")
  }

  // MARK: Rests

  /// A query that rests for a second, and a query that does not rest.
  private func restingScript() -> BrokerScript {
    var script = BrokerScript()
    script.add("a b", reads: "t")
    _ = script.commit(1, "t")
    _ = script.take()
    script.read("a b", in: 1, reads: "t")
    #expect(script.deliver("a b", in: 1, paced: "a") == "a rests until \(script.now + 1_000_000)")
    #expect(script.take() == "none")
    return script
  }

  /// Commits, and runs the query that does not rest.
  private func commit(_ number: UInt64, _ script: inout BrokerScript) {
    #expect(script.commit(number, "t") == "batches")
    #expect(script.take() == "b")
    #expect(script.end("b", in: number) == "nothing")
    #expect(script.take() == "none")
  }

  @Test func `a query does not run while its subscribers want no value, and then runs once`() {
    var script = restingScript()
    let end = script.now + 1_000_000
    commit(2, &script)
    commit(3, &script)
    script.now = end
    #expect(script.endRest(of: "a", at: end - 1) == "nothing")
    #expect(script.endRest(of: "a", at: end) == "batches")
    #expect(script.take() == "a")
    #expect(script.end("a", in: 3) == "nothing")
    #expect(script.take() == "none")
    #expect(script.endRest(of: "a", at: end) == "nothing")
  }

  @Test func `a rest without a commit ends without a run, and the next commit is not delayed`() {
    var script = restingScript()
    let end = script.now + 1_000_000
    script.now = end
    #expect(script.endRest(of: "a", at: end) == "nothing")
    #expect(script.commit(2, "t") == "batches")
    #expect(script.take() == "a b")
  }

  @Test func `a waiter ends the rest of a query`() {
    var script = restingScript()
    commit(2, &script)
    #expect(script.machine.waitForAll("w") == true)
    #expect(script.schedule() == "batches")
    #expect(script.take() == "a")
    script.read("a", in: 2, reads: "t")
    #expect(script.commit(3, "t") == "nothing")
    // The waiter waits for the run before.
    #expect(script.deliver("a", in: 2, paced: "a") == "resume w")
    #expect(script.take() == "a b")
  }

  @Test func `a new subscriber ends a rest`() {
    var script = restingScript()
    commit(2, &script)
    #expect(script.start("a") == "pending")
    #expect(script.schedule() == "batches")
    #expect(script.take() == "a")

    script = restingScript()
    #expect(script.start("a") == "current at 1")
    #expect(script.commit(2, "t") == "batches")
    #expect(script.take() == "a b")
  }

  @Test func `a refetch ends a rest`() {
    var script = restingScript()
    #expect(script.refetch("a") == "batches")
    #expect(script.take() == "a")
  }

  // MARK: The end

  @Test func `a removed query is not run, and is not waited for`() {
    var script = BrokerScript()
    script.add("a b", reads: "t")
    #expect(script.commit(1, "t") == "batches")
    #expect(script.machine.wait("w", for: BrokerScript.Query(name: "a").id) == true)
    #expect(script.remove("a") == "resume w")
    #expect(script.take() == "b")
    #expect(script.remove("b") == "less is observed, none is left")
    // The run continues.
    #expect(script.end("b", in: 1) == "nothing")
    #expect(script.take() == "none")
    #expect(script.commit(2, "t") == "nothing")
    #expect(script.machine.unindexedRuns == 0)
  }

  @Test func `closing ends queries and waiters, and nothing starts after it`() {
    var script = BrokerScript(readers: 2)
    script.add("a b", reads: "t")
    #expect(script.submit("c") == "first c")
    #expect(script.submit("d") == "nothing")
    #expect(script.commit(1, "t") == "batches")
    #expect(script.machine.waitForAll("w") == true)
    #expect(script.take() == "a b")
    #expect(script.close() == "close a, close b, close c, close d, resume w")
    #expect(script.end("a b", in: 1) == "nothing")
    #expect(script.end("c", in: 1, as: .first) == "nothing")
    #expect(script.commit(2, "t") == "nothing")
    #expect(script.take() == "none")
    #expect(script.start("e") == "closed")
    #expect(script.machine.waitForAll("v") == false)
    #expect(script.close() == "nothing")
  }

  // MARK: A share of a core

  @Test func `runs pause so long that they take their share of a core`() {
    var script = BrokerScript(share: 0.2)
    let start = script.now
    script.add("a b", reads: "t", took: 5)
    // First runs do not count.
    #expect(script.commit(1, "t") == "batches")
    #expect(script.take() == "a b")
    // Two runs of 5 ms, and a pause of four times that.
    #expect(script.end("a b", in: 1, took: 5) == "nothing")
    #expect(script.take() == "none")
    #expect(script.commit(2, "t") == "pause until \(start + 40_000)")
    // The timer is set.
    #expect(script.commit(3, "t") == "nothing")
    #expect(script.machine.statistics.waiting == 2)
    #expect(script.take() == "none")
    script.now = start + 40_000
    #expect(script.endPause() == "batches")
    #expect(script.take() == "a b")
    #expect(script.end("a b", in: 3, took: 5) == "nothing")
    #expect(script.machine.statistics.waiting == 0)
    #expect(script.machine.statistics.runTime == .milliseconds(20))
  }

  @Test func `the query that has waited longest runs first after a pause`() {
    var script = BrokerScript(share: 0.5)
    script.add("a", reads: "t", took: 5)
    script.add("b", reads: "u", took: 5)
    _ = script.commit(1, "t u")
    _ = script.take()
    _ = script.end("a", in: 1, reads: "t", took: 5)
    _ = script.end("b", in: 1, reads: "u", took: 5)
    #expect(script.take() == "none")
    _ = script.commit(2, "u")
    _ = script.commit(3, "t")
    script.now += 1_000_000
    #expect(script.endPause() == "batches")
    #expect(script.take() == "b a")
  }

  @Test func `who waits for a query, and a first run, wait for no pause`() {
    var script = BrokerScript(share: 0.1)
    script.add("a", reads: "t", took: 5)
    _ = script.commit(1, "t")
    _ = script.take()
    _ = script.end("a", in: 1, took: 5)
    #expect(script.take() == "none")
    #expect(script.commit(2, "t").hasPrefix("pause"))
    #expect(script.submit("c") == "first c")
    #expect(script.machine.waitForAll("w") == true)
    #expect(script.schedule() == "batches")
    #expect(script.take() == "a")
  }

  @Test func `a pause that counts again before a runner takes its batch has an end`() {
    var script = BrokerScript(share: 0.5)
    let start = script.now
    script.add("a", reads: "t", took: 5)
    _ = script.commit(1, "t")
    _ = script.take()
    #expect(script.end("a", in: 1, took: 5) == "nothing")
    #expect(script.take() == "none")
    #expect(script.planPauseEnd() == nil)
    _ = script.submit("b")
    #expect(script.machine.wait("w", for: BrokerScript.Query(name: "b").id) == true)
    // While a caller waits, there is no pause.
    #expect(script.commit(2, "t") == "batches")
    #expect(script.remove("b") == "resume w")
    #expect(script.take() == "none")
    #expect(script.planPauseEnd() == start + 5000)
    #expect(script.planPauseEnd() == nil)
    script.now = start + 5000
    #expect(script.endPause() == "batches")
    #expect(script.take() == "a")
  }

  @Test func `a timer that fires too early is set again`() {
    var script = BrokerScript(share: 0.5)
    let start = script.now
    script.add("a", reads: "t", took: 20)
    _ = script.commit(1, "t")
    #expect(script.end("a", in: 1, took: 20) == "nothing")
    #expect(script.commit(2, "t") == "pause until \(start + 20_000)")
    #expect(script.endPause() == "pause until \(start + 20_000)")
  }

  @Test func `commits, runs, deliveries and suppressed values are counted`() {
    var script = BrokerScript()
    #expect(script.commit(1, "t") == "nothing")
    script.add("a b", reads: "t")
    _ = script.commit(2, "t")
    _ = script.commit(3, "other")
    _ = script.take()
    let batch = ["a", "b"].map(BrokerScript.Query.init)
    let deliveries = [true, false].map {
      Delivery(run: QueryRun(), mustDeliver: $0, hasFailed: false)
    }
    _ = script.machine.runsDidEnd(of: batch, deliveries, in: CommitNumber(3), now: 0)
    let statistics = script.machine.statistics
    #expect(statistics.commits == 2)
    #expect(statistics.refetches == 4)
    #expect(statistics.deliveries == 3)
    #expect(statistics.suppressed == 1)
    #expect(statistics.live == 2)
  }
}
