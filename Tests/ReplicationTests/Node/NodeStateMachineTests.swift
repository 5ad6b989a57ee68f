import Testing

@testable import Replication

/// The behavior of a node, as text: events with their milliseconds, and the next work.
@Suite struct NodeStateMachineTests {
  /// Runs a script. Each line is a time, an event, and `->` before the expected next work.
  ///
  /// The heartbeat interval is 100 ms and the election timeout 1000 ms. Random numbers are as small
  /// as possible.
  private func run(_ script: String, as role: ReplicationRole = .automatic) {
    var settings = NodeStateMachine.Settings()
    settings.role = role
    settings.heartbeatInterval = .milliseconds(100)
    settings.electionTimeout = .milliseconds(1000)
    settings.random = { $0.lowerBound }
    var machine = NodeStateMachine(settings)
    let begin = ContinuousClock.now
    for line in script.split(separator: "\n") {
      let parts = line.split(separator: "->").map { $0.split(separator: " ").map(String.init) }
      let now = begin + .milliseconds(Int(parts[0][0]) ?? 0)
      let answer = tell(&machine, Array(parts[0].dropFirst()), at: now)
      let work = describe(machine.next(at: now))
      let expected = parts.count > 1 ? parts[1].joined(separator: " ") : nil
      if let expected { #expect((answer ?? work) == expected, "\(line)") }
    }
  }

  /// Sends an event to the machine.
  ///
  /// - Returns: Its answer, if there is one.
  private func tell(
    _ machine: inout NodeStateMachine,
    _ words: [String],
    at now: ContinuousClock.Instant
  ) -> String? {
    let number = words.count > 1 ? Int64(words[1]) ?? 0 : 0
    switch words.first {
    case "start": machine.start(after: number, isChecked: words.contains("checked"), at: now)
    case "checked": machine.didCheck(isFarewell: words.contains("farewell"), at: now)
    case "read": machine.didRead(epoch: number, isFarewell: words.contains("farewell"), at: now)
    case "heartbeats": return machine.didRead(heartbeats: Int(number)) ? "write" : "keep"
    case "written": machine.didWritePlace()
    case "learned": machine.didLearn(tail: number == 0 ? nil : LogPosition(number), at: now)
    case "read-to":
      let (last, isFull) = (LogPosition(number), words.contains("full"))
      let tail = machine.tail(after: last, isFull: isFull).map { "\($0.sequence)" } ?? "unknown"
      let mustAsk = machine.mustAskForTail(after: last, isFull: isFull, at: now)
      return mustAsk ? "\(tail), ask" : tail
    case "rejoined": machine.didRejoin(at: now)
    case "nothing": return machine.mustClaim(at: now) ? "claim" : nil
    case "won": machine.didWin(epoch: number)
    case "begin": return machine.begin() ? nil : "refused"
    case "lost": machine.didLoseClaim(at: now)
    case "step-down": return machine.stepDown() ? nil : "no primary"
    case "resign": machine.resign()
    case "damage": machine.noteDamage(.init(error: .foreignWrite, needed: LogPosition(number)))
    case "repaired": machine.didRepair(at: now)
    case "stop": machine.stop(.notReplicated)
    case "close": machine.close()
    case "failed":
      machine.didFail()
      return "pause \(machine.nextPause().components.attoseconds / 1_000_000_000_000_000)"
    case "waited":
      let wasWoken = words.contains("woken")
      let tail = words.last.flatMap { Int64($0) }.map { LogPosition($0) }
      let mustBeat = machine.mustBeat(after: .milliseconds(100), wasWoken: wasWoken, tail: tail)
      return mustBeat ? "beat" : "rest"
    case "beat": machine.didBeat(tail: LogPosition(number))
    case "succeeded": machine.didSucceed()
    case nil, "": break
    default: Issue.record("no such event: \(words)")
    }
    return nil
  }

  private func describe(_ work: NodeStateMachine.Work) -> String {
    switch work {
    case .end: "end"
    case .serveReads: "serve reads"
    case .check: "check"
    case .repair(let damage): "repair to \(damage.needed.sequence)"
    case .lead: "lead"
    case .rejoin: "rejoin"
    case .follow(let wait):
      "follow \(wait.components.seconds * 1000 + wait.components.attoseconds / 1_000_000_000_000_000)"
    }
  }

  // MARK: Elections

  @Test func `a replica claims when no entry comes for an election timeout`() {
    run(
      """
      0 start 1 -> check
      0 checked -> follow 100
      900 read 1 -> follow 100
      1900 nothing -> follow 20
      1919 nothing -> follow 1
      1920 nothing -> claim
      1920 lost -> follow 20
      1930 read 2 -> follow 100
      2949 nothing -> follow 1
      2950 nothing -> claim
      2950 won 3 -> rejoin
      2950 begin -> lead
      """
    )
  }

  @Test func `a node that never leads does not claim`() {
    run(
      """
      0 start 1 checked -> follow 100
      9000 nothing -> follow 100
      """,
      as: .replica
    )
  }

  @Test func `a history without an epoch has no primary`() {
    run(
      """
      0 start 0 checked -> follow 20
      20 nothing -> claim
      """
    )
  }

  @Test func `a farewell hastens the election, a preferred node comes first`() {
    run(
      """
      0 start 1 -> check
      0 checked farewell -> follow 30
      10 read 2 -> follow 100
      20 read 2 farewell -> follow 30
      50 nothing -> claim
      """
    )
    run(
      """
      0 start 1 checked -> follow 100
      0 read 1 farewell -> follow 0
      0 nothing -> claim
      """,
      as: .preferred
    )
  }

  @Test func `entries of its own are not a sign of another primary`() {
    run(
      """
      0 start 1 checked
      0 won 2
      0 begin -> lead
      100 step-down -> rejoin
      100 rejoined -> follow 20
      110 read 2 -> follow 10
      120 nothing -> claim
      """
    )
  }

  // MARK: The primary

  @Test func `a primary says that it is alive when nothing else does`() {
    run(
      """
      0 start 1 checked
      0 won 2
      0 begin -> lead
      100 waited 7 -> rest
      200 waited 7 -> beat
      200 beat 8
      300 waited 8 -> beat
      300 beat 9
      400 waited 12 -> rest
      500 waited woken 12 -> rest
      600 waited 12 -> beat
      600 step-down
      700 waited 13 -> rest
      """
    )
  }

  @Test func `a primary that resigns leaves the next claim to others`() {
    run(
      """
      0 start 1 checked
      0 won 2
      0 begin -> lead
      10 resign -> lead
      10 step-down -> rejoin
      10 rejoined -> follow 100
      1029 nothing -> follow 1
      1030 nothing -> claim
      1030 won 3
      1030 begin -> lead
      1040 step-down
      1040 rejoined -> follow 20
      """
    )
  }

  @Test func `a claim that the file did not get is read like that of another node`() {
    run(
      """
      0 start 1 checked
      0 won 2
      0 failed -> pause 20
      20 -> rejoin
      20 rejoined -> follow 20
      20 read 2 -> follow 20
      """
    )
  }

  // MARK: Damage, and the end

  @Test func `a damaged file is replaced before the node goes on`() {
    run(
      """
      0 start 1 checked
      0 won 2
      0 begin -> lead
      5 damage 9 -> repair to 9
      5 damage 12 -> repair to 9
      5 step-down -> no primary
      5 begin -> refused
      50 repaired -> rejoin
      50 rejoined -> follow 100
      1069 nothing -> follow 1
      1070 nothing -> claim
      """
    )
  }

  @Test func `a file that is found to be damaged during a claim does not lead`() {
    run(
      """
      0 start 1 checked
      0 won 2
      0 damage 9 -> repair to 9
      0 begin -> refused
      """
    )
    run(
      """
      0 start 1 checked
      0 resign
      0 damage 9 -> repair to 9
      0 won 2
      0 begin -> refused
      50 repaired -> rejoin
      50 rejoined -> follow 100
      1069 nothing -> follow 1
      1070 won 3
      1070 begin -> lead
      1080 step-down
      1080 rejoined -> follow 20
      """
    )
  }

  @Test func `the log is checked first, and nothing follows the end`() {
    run(
      """
      0 start 1
      0 damage 9 -> check
      0 checked -> repair to 9
      0 stop -> serve reads
      0 damage 11 -> serve reads
      0 repaired -> serve reads
      0 close -> end
      """
    )
  }

  // MARK: Failures

  @Test func `pauses grow until work succeeds`() {
    run(
      """
      0 start 1 checked
      0 failed -> pause 20
      0 failed -> pause 40
      0 rejoined
      0 failed -> pause 80
      0 failed -> pause 160
      0 failed -> pause 320
      0 failed -> pause 640
      0 failed -> pause 0
      0 failed -> pause 0
      0 succeeded
      0 failed -> pause 20
      """
    )
  }

  @Test func `a replica asks for the end of the log once in a heartbeat interval`() {
    run(
      """
      0 start 1 checked
      0 read-to 3 -> unknown, ask
      10 learned 7
      10 read-to 5 full -> 7
      20 read-to 7 full -> 7
      30 read-to 8 -> 8
      109 read-to 9 -> 9
      110 read-to 10 -> 10, ask
      120 learned 10
      130 failed -> pause 20
      150 rejoined
      150 read-to 10 -> unknown, ask
      """
    )
  }

  @Test func `a replica asks at once when there may be more entries than it knows of`() {
    run(
      """
      0 start 1 checked
      10 learned 7
      20 read-to 519 full -> unknown, ask
      20 learned 9000
      30 read-to 1031 full -> 9000
      """
    )
  }

  @Test func `a log that does not say where it ends is asked after a heartbeat interval`() {
    run(
      """
      0 start 1 checked
      10 learned
      20 read-to 519 full -> unknown
      30 read-to 520 -> unknown
      110 read-to 521 -> unknown, ask
      """
    )
  }

  @Test func `heartbeats are written from time to time`() {
    run(
      """
      0 start 1 checked
      0 heartbeats 255 -> keep
      0 heartbeats 1 -> write
      0 written
      0 heartbeats 1 -> keep
      """
    )
  }

  typealias Reaction = NodeStateMachine.Reaction

  private static func damage(_ error: ReplicationError, _ needed: Int64) -> Reaction {
    .damage(.init(error: error, needed: LogPosition(needed)))
  }

  private struct DiskIsFull: Error {}

  // The last entry of the file is 5.
  @Test(arguments: [
    (DiskIsFull() as any Error, Reaction.retry(noting: .file)),
    (ReplicationError.log(.unavailable("x")), .retry(noting: .log)),
    (ReplicationError.notPrimary(address: nil), .retry(noting: nil)),
    (ReplicationError.damagedSnapshot("x"), .retry(noting: .file)),
    (ReplicationError.storeTimeout(.seconds(1)), .retry(noting: .file)),
    (ReplicationError.log(.closed), .stop(.log(.closed))),
    (ReplicationError.log(.anotherLog("x")), .stop(.log(.anotherLog("x")))),
    (ReplicationError.logLost(from: LogPosition(3)), .stop(.logLost(from: LogPosition(3)))),
    (
      ReplicationError.snapshotNeeded(after: LogPosition(7)),
      damage(.snapshotNeeded(after: LogPosition(7)), 8)
    ),
    (ReplicationError.otherSurvivor(LogPosition(9)), damage(.otherSurvivor(LogPosition(9)), 9)),
    (ReplicationError.diverged("x"), damage(.diverged("x"), 5)),
    (ReplicationError.foreignWrite, damage(.foreignWrite, 6)),
    (ReplicationError.discardedCommits, damage(.discardedCommits, 6)),
  ])
  func `an error leads to a pause, to a snapshot or to the end`(
    error: any Error,
    expected: Reaction
  ) {
    #expect(NodeStateMachine().reaction(to: error, at: LogPosition(5)) == expected)
  }

  @Test func `errors of a node that is being closed are not noted`() {
    var machine = NodeStateMachine()
    machine.close()
    #expect(machine.reaction(to: ReplicationError.closed, at: .start) == .none)
    #expect(machine.reaction(to: ReplicationError.log(.closed), at: .start) == .none)
  }
}
