@testable import Storage
import Testing

/// The queries for which the broker knows all rows that have changed since their last run.
@Suite("The rows by which a query is patched") struct PatchedRowsTests {
  /// A query that ran in snapshot 1, and can be patched by the rows of a table.
  private func script(reads region: String = "t") -> BrokerScript {
    var script = BrokerScript()
    _ = script.start("a")
    _ = script.commit(1, "")
    script.read("a", in: 1, reads: region, patching: "t")
    _ = script.deliver("a", in: 1)
    return script
  }

  @Test func `rows of all commits since the last run count`() {
    var script = script()
    _ = script.commit(2, "t(name)[3]")
    _ = script.commit(3, "t(name)[5] other")
    #expect(script.changedRows("a", upTo: 2) == "since 1: t 3")
    #expect(script.changedRows("a", upTo: 3) == "since 1: t 3 5")
  }

  @Test func `a commit whose rows are not known makes all unknown`() {
    var script = script()
    _ = script.commit(2, "t(name)[3]")
    _ = script.commit(3, "t(name)")
    #expect(script.changedRows("a", upTo: 2) == "since 1: t 3")
    #expect(script.changedRows("a", upTo: 3) == "unknown")
  }

  @Test func `a commit that changes anything leaves what is known of commits before it`() {
    var script = script()
    _ = script.commit(2, "t(name)[3]")
    _ = script.commit(3, "*")
    #expect(script.changedRows("a", upTo: 2) == "since 1: t 3")
    #expect(script.changedRows("a", upTo: 3) == "unknown")
  }

  @Test func `after too many commits, no snapshot among them is patched`() {
    var script = script()
    for number in UInt64(2)...400 { _ = script.commit(number, "t(name)[\(number)]") }
    #expect(script.changedRows("a", upTo: 2) == "unknown")
    #expect(script.changedRows("a", upTo: 257) == "unknown")
    #expect(script.changedRows("a", upTo: 400) == "unknown")
  }

  @Test func `the rows of each patched table count`() {
    var script = BrokerScript()
    _ = script.start("a")
    _ = script.commit(1, "")
    script.read("a", in: 1, reads: "t u", patching: "t u")
    _ = script.deliver("a", in: 1)
    _ = script.commit(2, "t(name)[3] other")
    _ = script.commit(3, "u(name)[5] t(name)[4]")
    #expect(script.changedRows("a", upTo: 2) == "since 1: t 3")
    #expect(script.changedRows("a", upTo: 3) == "since 1: t 3 4, u 5")
    _ = script.commit(4, "u(name)")
    #expect(script.changedRows("a", upTo: 4) == "unknown")
  }

  @Test func `only rows that meet the conditions count`() {
    var script = script(reads: "t{agent=5}")
    _ = script.commit(2, "t[3,4,7]{agent=6@3,5@4,6@7}")
    #expect(script.changedRows("a", upTo: 2) == "since 1: t 4")
  }

  @Test func `rows of commits during the first run are not known`() {
    var script = BrokerScript()
    _ = script.start("a")
    _ = script.commit(1, "")
    _ = script.commit(2, "t(name)[3]")
    script.read("a", in: 1, reads: "t", patching: "t")
    #expect(script.changedRows("a", upTo: 2) == "unknown")
  }

  @Test func `rows of commits during the run that begins the patching are not known`() {
    var script = BrokerScript()
    script.add("a", reads: "t")
    _ = script.commit(1, "t(name)[1]")
    #expect(script.take() == "a")
    _ = script.commit(2, "t(name)[3]")
    _ = script.commit(3, "t(name)[5]")
    script.read("a", in: 1, reads: "t", patching: "t")
    _ = script.deliver("a", in: 1)
    #expect(script.changedRows("a", upTo: 2) == "unknown")
    #expect(script.take() == "a")
    script.read("a", in: 2, reads: "t", patching: "t")
    #expect(script.changedRows("a", upTo: 3) == "unknown")
  }

  @Test func `rows of a transaction that began before the first run are not known`() {
    var script = BrokerScript()
    let before = script.growth
    _ = script.start("a")
    _ = script.commit(1, "")
    script.read("a", in: 1, reads: "t", patching: "t")
    _ = script.deliver("a", in: 1)
    #expect(script.growth > before)
    // The transaction has tracked only the rows that other queries observed.
    _ = script.commit(2, "t(name)[3]", at: before)
    #expect(script.changedRows("a", upTo: 2) == "unknown")
  }

  /// A query that takes 20 ms as a whole, and 1 ms when it is patched.
  private func slowScript() -> BrokerScript {
    var script = BrokerScript()
    _ = script.start("a")
    _ = script.commit(1, "")
    script.read("a", in: 1, reads: "t", took: 20, patching: "t")
    _ = script.deliver("a", in: 1)
    #expect(script.commit(2, "t(name)[3]") == "slow a")
    script.read("a", in: 2, reads: "t", took: 1, patching: "t", wasPatched: true)
    #expect(script.deliver("a", in: 2, as: .slow) == "nothing")
    #expect(script.commit(3, "t(name)[4]") == "batches")
    return script
  }

  @Test func `a query that waits to be patched runs separately when the rows become unknown`() {
    var script = slowScript()
    #expect(script.commit(4, "*") == "slow a")
    #expect(script.take() == "none")
  }

  @Test func `so it does when a transaction that began before it makes them unknown`() {
    var script = slowScript()
    #expect(script.commit(4, "t(name)[5]", at: BrokerScript.firstGrowth) == "slow a")
    #expect(script.take() == "none")
  }

  @Test func `nothing is known before each commit up to a snapshot was announced`() {
    var script = script()
    _ = script.commit(3, "t(name)[5]")
    #expect(script.changedRows("a", upTo: 3) == "unknown")
    _ = script.commit(2, "t(name)[3]")
    #expect(script.changedRows("a", upTo: 3) == "since 1: t 3 5")
  }
}
