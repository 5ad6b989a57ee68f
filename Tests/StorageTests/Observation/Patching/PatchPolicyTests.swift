import Testing

@testable import Storage

@Suite("P5: queries are patched where it pays") struct PatchPolicyTests {
  private let threshold: UInt64 = 1_000_000

  @Test func `a quick query is run as a whole`() {
    var policy = PatchPolicy()
    #expect(!policy.keepsResult(threshold: threshold))
    policy.noteWholeRun(duration: 999_999)
    #expect(!policy.keepsResult(threshold: threshold))
    policy.noteWholeRun(duration: 1_000_000)
    #expect(policy.keepsResult(threshold: threshold))
  }

  @Test func `a first run, which compiles the query, must be slower`() {
    var policy = PatchPolicy()
    policy.noteWholeRun(duration: 3_999_999)
    #expect(!policy.keepsResult(threshold: threshold))
    #expect(policy.reason(threshold: threshold) == .isQuick)
    var slow = PatchPolicy()
    slow.noteWholeRun(duration: 4_000_000)
    #expect(slow.keepsResult(threshold: threshold))
  }

  @Test func `many rows are not worth a patch`() {
    var policy = PatchPolicy()
    policy.noteWholeRun(duration: 3_000_000)
    #expect(policy.pays(rows: 40, threshold: threshold))
    #expect(!policy.pays(rows: 60, threshold: threshold))
  }

  @Test func `a query whose results are kept in vain rests, and tries again`() {
    var policy = PatchPolicy()
    var kept = 0
    for _ in 0..<200 {
      let keeps = policy.keepsResult(threshold: threshold)
      kept += keeps ? 1 : 0
      if keeps { policy.noteKeptInVain() }
      policy.noteWholeRun(duration: 5_000_000)
    }
    #expect((6...15).contains(kept))
  }

  @Test func `patches between results kept in vain go on`() {
    var policy = PatchPolicy()
    policy.noteWholeRun(duration: 5_000_000)
    for _ in 0..<200 {
      for _ in 0..<3 { policy.notePatch(duration: 50_000) }
      #expect(policy.keepsResult(threshold: threshold))
      policy.noteKeptInVain()
      policy.noteWholeRun(duration: 5_000_000)
    }
  }

  @Test func `results that take a second run are kept less often while they are kept in vain`() {
    var policy = PatchPolicy()
    policy.noteWholeRun(duration: 5_000_000)
    var kept: [Int] = []
    for run in 0..<20 {
      if kept.last == run - 1 { policy.noteKeptInVain(bySecondRun: true) }
      let keeps = policy.keepsResult(threshold: threshold)
      if keeps { kept.append(run) }
      policy.noteWholeRun(duration: 5_000_000, isKept: keeps)
    }
    // The first result after a pause may be kept in vain by chance.
    #expect(kept == [0, 1, 3, 4, 7])
  }

  @Test func `only a result that follows another kept one makes a query pause`() {
    var policy = PatchPolicy()
    policy.noteWholeRun(duration: 5_000_000)
    policy.noteWholeRun(duration: 5_000_000, isKept: true)
    policy.noteKeptInVain(bySecondRun: true)
    #expect(policy.keepsResult(threshold: threshold))
    policy.noteWholeRun(duration: 5_000_000, isKept: true)
    policy.notePatch(duration: 50_000)
    policy.noteKeptInVain(bySecondRun: true)
    #expect(!policy.keepsResult(threshold: threshold))
    #expect(policy.reason(threshold: threshold) == .failedBefore)
    policy.noteWholeRun(duration: 5_000_000)
    #expect(policy.keepsResult(threshold: threshold))
  }

  @Test func `patches that take longer than runs are given up`() {
    var policy = PatchPolicy()
    policy.noteWholeRun(duration: 2_000_000)
    for _ in 0..<5 { policy.notePatch(duration: 3_000_000) }
    #expect(!policy.keepsResult(threshold: threshold))
  }

  @Test func `a query that cannot be patched is not examined again soon`() {
    var policy = PatchPolicy()
    policy.note(.hasSubquery)
    #expect(policy.obstacle == .hasSubquery)
    var examined = 0
    for _ in 0..<1000 {
      policy.noteWholeRun(duration: 5_000_000)
      guard policy.keepsResult(threshold: threshold) else { continue }
      examined += 1
      policy.note(.hasSubquery)
    }
    #expect(examined < 5)
  }

  @Test func `a policy always says why a query runs as a whole`() {
    var policy = PatchPolicy()
    #expect(policy.reason(threshold: 1000) == nil)
    policy.noteWholeRun(duration: 10)
    #expect(policy.reason(threshold: 1000) == .isQuick)
    policy.noteWholeRun(duration: 2000)
    #expect(policy.reason(threshold: 1000) == .wasSlowOnce)
    policy.note(.hasSubquery)
    #expect(policy.reason(threshold: 1000) == .hasSubquery)
    policy.noteProof()
    #expect(policy.reason(threshold: 1000) == .failedBefore)
  }
}
