import Dispatch
import Foundation
import Replication
import Storage
import Testing
import TestSupport
import WellspringSystem

/// Writes on nodes that are not the primary.
@Suite(.patient) struct WriteForwarderTests {
  let nodes: TestNodes
  let network = ForwardingNetwork()

  init() throws { nodes = try TestNodes() }

  /// Opens a primary and a replica, with the table `t`.
  private func openTwo(
    _ options: ReplicationOptions = TestNodes.options("one"),
    log: (any ReplicationLog)? = nil
  ) async throws -> (one: ReplicatedDatabase, two: ReplicatedDatabase) {
    let one = try await nodes.open("one", options: options)
    let two = try await ReplicatedDatabase(
      path: nodes.path("two"),
      log: AnyLog(log ?? MemoryLog(sharing: nodes.log)),
      role: .replica,
      options: TestNodes.options("two")
    )
    network.connect(one, at: "one")
    network.connect(two, at: "two")
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a); CREATE TABLE closed (a)") }
    try await two.catchUp(with: one)
    return (one, two)
  }

  @Test(arguments: [ReplicationPromise.logged, .local])
  func `a write on a replica is made on the primary, and the replica shows it at once`(
    promise: ReplicationPromise
  ) async throws {
    var options = TestNodes.options("one")
    options.promise = promise
    let (one, two) = try await openTwo(options)
    let forwarder = network.forwarder(two)
    for number in 1...20 {
      #expect(
        try await forwarder.write(AddNumber(number: number), timeout: Patience.limit) == number * 10
      )
      #expect(try await two.numbers() == Array(1...number))
    }
    try await two.catchUp(with: one)
    #expect(try await one.storedWrites() == 20)
    try expectEqual(one, two)
    try one.close()
    try two.close()
  }

  @Test func `a write on the primary is not sent, and has its row`() async throws {
    let (one, two) = try await openTwo()
    let (output, token) = try await network.forwarder(one).writeReturningToken(
      AddNumber(number: 1),
      timeout: Patience.limit
    )
    #expect(output == 10)
    try await two.wait(until: token, timeout: Patience.limit)
    #expect(try await two.numbers() == [1])
    #expect(network.requests.isEmpty)
    #expect(try await one.storedWrites() == 1)
    try one.close()
    try two.close()
  }

  enum Loss: CaseIterable {
    case request
    case answer
    case readableAnswer
  }

  @Test(arguments: Loss.allCases)
  func `a request or an answer that is lost costs another attempt, and doubles nothing`(
    loss: Loss
  ) async throws {
    let (one, two) = try await openTwo()
    let attempts = Lock(0)
    let forwarder = WriteForwarder(two, attemptTimeout: Patience.limit) {
      [network] address, request in
      let attempt = attempts.withLock { count in
        count += 1
        return count
      }
      if attempt < 4, loss == .request { throw ForwardingNetwork.Unreachable() }
      let answer = try await network.send(address, request)
      if attempt >= 4 { return answer }
      if loss == .readableAnswer { return Array("<html>Bad gateway</html>".utf8) }
      throw ForwardingNetwork.Unreachable()
    }
    #expect(try await forwarder.write(AddNumber(number: 1), timeout: Patience.limit) == 10)
    #expect(attempts.withLock { $0 } == 4)
    #expect(try await two.numbers() == [1])
    #expect(try await one.storedWrites() == 1)
    try one.close()
    try two.close()
  }

  @Test func `when the primary ends between the commit and the answer, the next one answers`()
    async throws
  {
    let (one, two) = try await openTwo()
    let three = try await nodes.open("three")
    network.connect(three, at: "three")
    let isClosed = Lock(false)
    let forwarder = WriteForwarder(two, attemptTimeout: Patience.limit) {
      [network] address, request in
      let answer = try await network.send(address, request)
      guard address == "one",
        isClosed.withLock({ isClosed in
          if isClosed { return false }
          isClosed = true
          return true
        })
      else { return answer }
      try await OwnThread.run { try one.close() }.value
      throw ForwardingNetwork.Unreachable()
    }
    #expect(try await forwarder.write(AddNumber(number: 1), timeout: Patience.limit) == 10)
    #expect(isClosed.withLock { $0 })
    #expect(three.status.role == .primary)
    #expect(try await two.numbers() == [1])
    #expect(try await three.storedWrites() == 1)
    try await two.catchUp(with: three)
    try expectEqual(two, three)
    try two.close()
    try three.close()
  }

  @Test func `a write waits while there is no primary`() async throws {
    let (one, two) = try await openTwo()
    try one.close()
    let forwarder = WriteForwarder(two, attemptTimeout: Patience.limit) {
      [network] address, request in
      if address == "one" { throw ForwardingNetwork.Unreachable() }
      return try await network.send(address, request)
    }
    let writing = Task {
      try await forwarder.write(AddNumber(number: 1), timeout: Patience.limit)
    }
    let three = try await nodes.open("three")
    network.connect(three, at: "three")
    #expect(try await writing.value == 10)
    #expect(try await three.numbers() == [1])
    try two.close()
    try three.close()
  }

  @Test func `without a primary in time, nothing was written`() async throws {
    let (one, two) = try await openTwo()
    let forwarder = WriteForwarder(two) { _, _ in
      throw ForwardingError.notWritten("nothing listens.")
    }
    await #expect(throws: ForwardingError.notWritten("nothing listens.")) {
      try await forwarder.write(AddNumber(number: 1), timeout: .seconds(1))
    }
    try one.close()
    #expect(try await two.numbers() == [])
    try two.close()
  }

  @Test func `after a lost answer and no other, the outcome is unknown, and the id finds it`()
    async throws
  {
    let (one, two) = try await openTwo()
    let id = WriteID()
    let deaf = WriteForwarder(two, attemptTimeout: Patience.limit) { [network] address, request in
      _ = try await network.send(address, request)
      throw ForwardingNetwork.Unreachable()
    }
    let error = await #expect(throws: ForwardingError.self) {
      try await deaf.write(AddNumber(number: 1), id: id, timeout: .seconds(1))
    }
    guard case .outcomeUnknown = error else {
      Issue.record("the error is \(String(describing: error))")
      return
    }
    #expect(
      try await network.forwarder(two).write(AddNumber(number: 1), id: id, timeout: Patience.limit)
        == 10
    )
    // The primary itself finds it too.
    #expect(
      try await network.forwarder(one).write(AddNumber(number: 1), id: id, timeout: Patience.limit)
        == 10
    )
    #expect(try await one.numbers() == [1])
    try one.close()
    try two.close()
  }

  @Test func `an attempt that hangs is followed by another one, and its answer may come later`()
    async throws
  {
    let (one, two) = try await openTwo()
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let isFirst = Lock(true)
    let late = Lock<[UInt8]?>(nil)
    let forwarder = WriteForwarder(two, attemptTimeout: .milliseconds(50)) {
      [network] address, request in
      let hangs = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      guard hangs else { return try await network.send(address, request) }
      // It does not end with the task.
      return await Task {
        for await _ in ends {}
        let answer = try? await network.send(address, request)
        late.withLock { $0 = answer }
        return answer ?? []
      }.value
    }
    #expect(try await forwarder.write(AddNumber(number: 1), timeout: Patience.limit) == 10)
    end.finish()
    try await eventually { late.withLock { $0 != nil } }
    #expect(try await one.numbers() == [1])
    try one.close()
    try two.close()
  }

  @Test func `a cancelled write ends at once, whatever its request does`() async throws {
    let (one, two) = try await openTwo()
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let (begins, begin) = AsyncStream.makeStream(of: Void.self)
    let forwarder = WriteForwarder(two) { _, _ in
      begin.finish()
      await Task { for await _ in ends {} }.value
      return []
    }
    let writing = Task {
      try await forwarder.write(AddNumber(number: 1), timeout: Patience.limit)
    }
    for await _ in begins {}
    writing.cancel()
    await #expect(throws: CancellationError.self) { try await writing.value }
    end.finish()
    try one.close()
    try two.close()
  }

  @Test func `what a write throws reaches the caller on each node, and nothing is written`()
    async throws
  {
    let (one, two) = try await openTwo()
    try await one.write { try $0.execute(sql: "INSERT INTO closed VALUES (1)") }
    for node in [one, two] {
      let forwarder = network.forwarder(node)
      await #expect(throws: ForwardedWriteError("the shop is closed")) {
        try await forwarder.write(AddIfOpen(), timeout: Patience.limit)
      }
      let error = await #expect(throws: ForwardedWriteError.self) {
        try await forwarder.write(
          RunSQL(sql: "INSERT INTO missing VALUES (1)"),
          timeout: Patience.limit
        )
      }
      #expect(error?.resultCode == .SQLITE_ERROR)
      #expect(error?.message.contains("no such table: missing") == true)
    }
    #expect(try await one.numbers() == [])
    #expect(try await one.storedWrites() == 0)
    // The node continues.
    #expect(
      try await network.forwarder(two).write(AddNumber(number: 1), timeout: Patience.limit) == 10
    )
    try one.close()
    try two.close()
  }

  @Test func `a constraint that only the commit finds is a refusal`() async throws {
    let (one, two) = try await openTwo()
    try await one.write { db in
      try db.execute(
        sql: """
          CREATE TABLE parent (id INTEGER PRIMARY KEY);
          CREATE TABLE child (p REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
          """
      )
    }
    let error = await #expect(throws: ForwardedWriteError.self) {
      try await network.forwarder(two).write(
        RunSQL(sql: "INSERT INTO child VALUES (1)"),
        timeout: Patience.limit
      )
    }
    #expect(error?.resultCode?.primaryResultCode == .SQLITE_CONSTRAINT)
    #expect(try await one.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM child") } == 0)
    try one.close()
    try two.close()
  }

  @Test func `a refusal stays one when an earlier attempt arrives after it`() async throws {
    let (one, two) = try await openTwo()
    try await one.write { try $0.execute(sql: "INSERT INTO closed VALUES (1)") }
    let held = Lock<[UInt8]?>(nil)
    let forwarder = WriteForwarder(two, attemptTimeout: Patience.limit) {
      [network] address, request in
      let isFirst = held.withLock { held in
        guard held == nil else { return false }
        held = request
        return true
      }
      if isFirst { throw ForwardingNetwork.Unreachable() }
      return try await network.send(address, request)
    }
    await #expect(throws: ForwardedWriteError("the shop is closed")) {
      try await forwarder.write(AddIfOpen(), timeout: Patience.limit)
    }
    try await one.write { try $0.execute(sql: "DELETE FROM closed") }
    let first = try #require(held.withLock { $0 })
    _ = try await network.send("one", first)
    #expect(try await one.numbers() == [])
    #expect(try await network.forwarder(two).write(AddIfOpen(), timeout: Patience.limit))
    #expect(try await one.numbers() == [1])
    try one.close()
    try two.close()
  }

  @Test func `requests with one id at the same time are one write, and all have its output`()
    async throws
  {
    let (one, two) = try await openTwo()
    let sending = [network.forwarder(one), network.forwarder(two)]
    for round in 1...Soak.size(200, inSuite: 10) {
      let id = WriteID()
      let outputs = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<12 {
          group.addTask {
            try await sending[number % 2].write(
              AddNumber(number: round),
              id: id,
              timeout: Patience.limit
            )
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outputs == Array(repeating: round * 10, count: 12))
      #expect(try await one.numbers() == Array(1...round))
    }
    try one.close()
    try two.close()
  }

  @Test(arguments: [LogFaults.Appending.answerLost, .requestLost, .late])
  func `when the log does not answer the primary, its own write is made once`(
    fault: LogFaults.Appending
  ) async throws {
    let log = MemoryLog(sharing: nodes.log)
    let one = try await nodes.openOnlyCandidate("one", log: log)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    log.faults.appending = [fault]
    #expect(
      try await network.forwarder(one).write(AddNumber(number: 1), timeout: Patience.limit) == 10
    )
    #expect(try await one.numbers() == [1])
    try one.close()
  }

  @Test func `a primary that is overtaken inside its own write forwards it to the next one`()
    async throws
  {
    let log = GateLog(MemoryLog(sharing: nodes.log))
    let one = try await ReplicatedDatabase(
      path: nodes.path("one"),
      log: log,
      options: TestNodes.options("one")
    )
    let two = try await nodes.open("two")
    network.connect(one, at: "one")
    network.connect(two, at: "two")
    try await one.waitForPrimacy()
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    let gate = DispatchSemaphore(value: 0)
    log.beforeNextAppend { gate.wait() }
    let writing = Task { [network] in
      try await network.forwarder(one).write(AddNumber(number: 1), timeout: Patience.limit)
    }
    try await two.waitForPrimacy()
    gate.signal()
    #expect(try await writing.value == 10)
    #expect(try await two.numbers() == [1])
    #expect(try await one.numbers() == [1])
    try one.close()
    try two.close()
  }

  @Test func `a write that the node of its caller does not get in time is made, and says so`()
    async throws
  {
    let log = HangingLog(MemoryLog(sharing: nodes.log))
    let (one, two) = try await openTwo(log: log)
    log.hang()
    let id = WriteID()
    var token: WriteToken?
    var timeout = Duration.seconds(1)
    while token == nil {
      do {
        _ = try await network.forwarder(two).write(AddNumber(number: 1), id: id, timeout: timeout)
        Issue.record("the node shows what it cannot have read")
        break
      } catch ForwardingError.notShown(let made, because: .timeout) {
        token = made
      } catch ForwardingError.outcomeUnknown {
        // The machine is busy.
        timeout *= 4
      }
    }
    log.goOn()
    #expect(try await one.numbers() == [1])
    try await two.wait(until: try #require(token), timeout: Patience.limit)
    #expect(try await two.numbers() == [1])
    try one.close()
    try two.close()
  }

  @Test func `a primary without an address cannot be asked`() async throws {
    let (one, two) = try await openTwo(TestNodes.options(""))
    let error = await #expect(throws: ForwardingError.self) {
      try await network.forwarder(two).write(AddNumber(number: 1), timeout: .seconds(1))
    }
    #expect(error?.description.contains("ReplicationOptions.address") == true)
    try one.close()
    try two.close()
  }

  @Test func `a forwarder of a closed node writes nothing, and ends`() async throws {
    let (one, two) = try await openTwo()
    let forwarder = network.forwarder(one)
    try one.close()
    await #expect(throws: ForwardingError.self) {
      try await forwarder.write(AddNumber(number: 1), timeout: Patience.limit)
    }
    #expect(try await two.numbers() == [])
    try two.close()
  }

  @Test func `a request that is too large is not sent`() async throws {
    let (one, two) = try await openTwo()
    let sql = String(repeating: " ", count: ReplicationOptions().largestRequest)
    let error = await #expect(throws: ForwardingError.self) {
      try await network.forwarder(two).write(RunSQL(sql: sql), timeout: Patience.limit)
    }
    guard case .notAccepted = error else {
      Issue.record("the error is \(String(describing: error))")
      return
    }
    #expect(network.requests.isEmpty)
    try one.close()
    try two.close()
  }
}
