import Testing

@testable import Storage
@testable import StorageTestSupport

/// The ledger as text: `a`, `b` are connections of this process, numbers are the commits that the
/// WAL's index counts.
///
///     a begins 7     a's commit begins, and the index counts 7 commits
///     a begins       … and no index can be read
///     a attaches     a's commit writes attached files only
///     a ends 8       it has succeeded, and the index counts 8 commits
///     a ends 7 idle  … and has written nothing
///     a fails        it has failed
///     look 8         the index was read, without the write lock
///     start, look 8 late    … but before what stands between the two
///     lock 8         the index was read under the write lock
///     adopt 8, forget       the index is taken as known, or forgotten
///     reading begins, reading ends    foreign commits that were found are read
@Suite struct CommitLedgerTests {
  // MARK: Numbers

  @Test func `commits are numbered in the order in which they end`() {
    #expect(run("adopt 0, a begins 0, b begins 1, b ends 2, a ends 2") == "- known known 1 2")
  }

  @Test func `a failed commit gets no number`() {
    #expect(run("adopt 0, a begins 0, a fails, a begins 0, a ends 1") == "- known ok known 1")
  }

  @Test func `a position tells whether a commit ended or is under way`() {
    var ledger = CommitLedger()
    let start = ledger.position
    #expect(start == ledger.position)
    _ = ledger.begin(nil, writer: nil)
    #expect(ledger.position.pendingCount == 1)
    #expect(ledger.position != start)
    _ = ledger.end(nil, hasWritten: true, writer: nil, mayChangeSchema: false)
    #expect(ledger.position == CommitLedger.Position(number: CommitNumber(1), pendingCount: 0))
  }

  @Test func `foreign commits that are being read count as under way`() {
    let script = "adopt 7, look 8, reading begins, look 8, reading ends, look 8"
    #expect(run(script) == "- foreign - overtaken - known")
    #expect(run("reading begins, adopt 7, reading ends, look 8") == "- - - foreign")
    #expect(run("start, reading begins, look 7 late, reading ends") == "- - overtaken -")
  }

  @Test func `own commits are counted, foreign ones are only numbered`() {
    var ledger = CommitLedger()
    let first = ledger.numberForeignCommits()
    let second = ledger.numberChange()
    #expect([first, second] == [CommitNumber(1), CommitNumber(2)])
    #expect(ledger.ownCommits == 0)
    _ = ledger.begin(nil, writer: nil)
    let ending = ledger.end(nil, hasWritten: true, writer: nil, mayChangeSchema: false)
    #expect(ending.number == CommitNumber(3))
    #expect(ledger.ownCommits == 1)
  }

  // MARK: One connection

  @Test func `an own commit is known`() {
    #expect(run("adopt 7, a begins 7, a ends 8, look 8") == "- known 1 known")
  }

  @Test func `a commit that writes nothing moves no index`() {
    #expect(run("adopt 7, a begins 7, a ends 7 idle, look 7") == "- known 1 known")
  }

  @Test func `a checkpoint that empties the WAL is no commit`() {
    #expect(run("adopt 7, look 7 reset, look 7") == "- known foreign")
  }

  @Test func `a foreign commit is found by a look, once`() {
    #expect(run("adopt 7, look 8, look 8, look 10") == "- foreign known foreign")
  }

  @Test func `a foreign commit before an own one is found when that begins`() {
    #expect(run("adopt 7, a begins 8, a ends 9, look 9") == "- foreign 1 known")
  }

  @Test func `a foreign commit after an own one is found by the next look`() {
    #expect(run("adopt 7, a begins 7, a ends 9, look 9") == "- known 1 foreign")
  }

  @Test func `a foreign commit under the write lock is found there`() {
    #expect(run("adopt 7, lock 8, a begins 8, a ends 9, look 9") == "- foreign known 1 known")
  }

  @Test func `without a known index, everything may be foreign`() {
    #expect(run("look 7, look 7") == "foreign known")
    #expect(run("a begins 7, a ends 8, look 8") == "foreign 1 known")
    #expect(run("adopt 7, forget, look 7") == "- - foreign")
  }

  @Test func `an index that cannot be read at the beginning is not known afterwards`() {
    #expect(run("adopt 7, a begins, a ends, look 8") == "- known 1 foreign")
  }

  // MARK: Several connections

  @Test func `a commit that is visible and has not ended is known to the next one`() {
    #expect(
      run("adopt 7, a begins 7, b begins 8, a ends 9, b ends 9, look 9")
        == "- known known 1 2 known"
    )
  }

  @Test func `of two further commits, one is foreign`() {
    #expect(run("adopt 7, a begins 7, b begins 9, b ends 10, a ends 10") == "- known foreign 1 2")
  }

  @Test func `a foreign commit that was taken for a failed one is found when that ends`() {
    #expect(run("adopt 7, a begins 7, b begins 8, b ends 9, a fails") == "- known known 1 mistaken")
  }

  @Test func `a foreign commit that was taken for an empty one is found when that ends`() {
    #expect(
      run("adopt 7, a begins 7, b begins 8, b ends 9, a ends 9 idle")
        == "- known known 1 2 mistaken"
    )
  }

  @Test func `a mistaken commit may have changed the schema`() {
    var ledger = CommitLedger()
    run("adopt 7, a begins 7, lock 8", &ledger)
    #expect(ledger.ownSchemaChanges == 0)
    run("a fails", &ledger)
    #expect(ledger.ownSchemaChanges == 1)
  }

  @Test func `of several writers, the last one that had the lock made the visible commit`() {
    #expect(
      run("adopt 7, a begins 7, a ends 7 idle, b begins 7, lock 8, b ends 8, look 8")
        == "- known 1 known known 2 known"
    )
  }

  @Test func `a commit to attached files only hides no foreign commit`() {
    #expect(run("adopt 7, a attaches, lock 8, a ends 8") == "- known foreign 1")
  }

  // MARK: Looks beside commits

  @Test func `a look beside a commit says nothing`() {
    #expect(run("adopt 7, a begins 7, look 8, a ends 8, look 8") == "- known overtaken 1 known")
  }

  @Test func `a look that a commit overtook says nothing`() {
    #expect(
      run("adopt 7, start, a begins 7, a ends 8, look 7 late, look 8")
        == "- - known 1 overtaken known"
    )
  }

  @Test func `an index is adopted only when none is known and no commit is under way`() {
    #expect(run("adopt 7, adopt 9, look 9") == "- - foreign")
    #expect(run("a attaches, adopt 9, a ends, look 9") == "known - 1 foreign")
  }

  @Test func `adoptions are counted, for watchers that have not seen the adopted commits`() {
    var ledger = CommitLedger()
    run("adopt 7, adopt 8, forget, adopt 9", &ledger)
    #expect(ledger.adoptions == 2)
  }

  @Test func `foreign commits, and those before an adoption, count as changes of the schema`() {
    var ledger = CommitLedger()
    run("adopt 7, adopt 7", &ledger)
    #expect(ledger.schemaChanges == 1)
    run("look 8", &ledger)
    #expect(ledger.schemaChanges == 2)
    #expect(ledger.ownSchemaChanges == 0)
    _ = ledger.begin(nil, writer: nil)
    let ending = ledger.end(nil, hasWritten: true, writer: nil, mayChangeSchema: true)
    #expect(ending.schemaChanges == 3)
    #expect(ledger.ownSchemaChanges == 1)
  }
}

// MARK: - The text

private final class TestWriter: Sendable {}
private let writers: [Substring: TestWriter] = ["a": TestWriter(), "b": TestWriter()]

private func index(_ commits: Substring?, isReset: Bool = false) -> WALIndex? {
  guard let commits, let count = UInt32(commits) else { return nil }
  // The frames of this test are one a commit.
  return WALIndex(commits: count, lastFrame: isReset ? 0 : count, checksum: UInt64(count), salt: 1)
}

private func run(_ script: String) -> String {
  var ledger = CommitLedger()
  return run(script, &ledger)
}

@discardableResult
private func run(_ script: String, _ ledger: inout CommitLedger) -> String {
  var answers: [String] = []
  var start = ledger.position
  var attaching: Set<Substring> = []
  for step in script.split(separator: ",") {
    let words = step.split(separator: " ")
    let id = writers[words[0]].map(ObjectIdentifier.init)
    let number = words.count > 2 ? words[2] : nil
    switch (words[0], words.count > 1 ? words[1] : "") {
    case ("adopt", let commits):
      ledger.adopt(index(commits)!)
      answers.append("-")
    case ("forget", _):
      ledger.forgetIndex()
      answers.append("-")
    case ("start", _):
      start = ledger.position
      answers.append("-")
    case ("look", let commits):
      if words.last != "late" { start = ledger.position }
      let found = ledger.look(at: index(commits, isReset: words.last == "reset")!, since: start)
      answers.append("\(found)")
    case ("reading", "begins"):
      ledger.beginReading()
      answers.append("-")
    case ("reading", _):
      ledger.endReading()
      answers.append("-")
    case ("lock", let commits):
      answers.append(ledger.take(index(commits)) ? "foreign" : "known")
    case (_, "begins"):
      answers.append(ledger.begin(index(number), writer: id) ? "foreign" : "known")
    case (let writer, "attaches"):
      attaching.insert(writer)
      answers.append(ledger.begin(nil, writer: nil) ? "foreign" : "known")
    case (let writer, "ends"):
      let ending = ledger.end(
        index(number),
        hasWritten: words.last != "idle",
        writer: attaching.remove(writer) == nil ? id : nil,
        mayChangeSchema: false
      )
      answers.append("\(ending.number)" + (ending.wasMistaken ? " mistaken" : ""))
    case (_, "fails"):
      answers.append(ledger.fail(writer: id) ? "mistaken" : "ok")
    default:
      Issue.record("not understood: \(step)")
    }
  }
  return answers.joined(separator: " ")
}
