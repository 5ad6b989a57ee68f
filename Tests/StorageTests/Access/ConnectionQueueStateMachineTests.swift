@testable import Storage
import Testing

/// Connections are numbers, waiters are letters.
@Suite struct ConnectionQueueStateMachineTests {
  typealias Machine = ConnectionQueueStateMachine<Int, String>

  /// What the machine decided, as text.
  func text(_ decision: Machine.AcquireDecision) -> String {
    switch decision {
    case .use(let connection): "use \(connection)"
    case .open: "open"
    case .wait(let id): "wait \(id)"
    case .fail: "fail"
    }
  }

  func text(_ decision: Machine.ReleaseDecision) -> String {
    switch decision {
    case .none: "none"
    case .handOver(let connection, let waiter): "\(connection) to \(waiter)"
    case .letOpen(let waiter): "let \(waiter) open"
    case .close(let connection): "close \(connection)"
    case .closeLast(let connection, let closers):
      "close \(connection.map(String.init) ?? "nothing"), tell \(closers)"
    case .tellAllReturned(let waiters): "tell \(waiters)"
    }
  }

  func acquire(_ machine: inout Machine, _ waiter: String = "?") -> String {
    text(machine.acquire { _ in waiter })
  }

  @Test func `connections are opened up to the capacity, then callers wait`() {
    var machine = Machine(capacity: 2)
    #expect(acquire(&machine) == "open")
    #expect(acquire(&machine) == "open")
    #expect(acquire(&machine, "a") == "wait 0")
    #expect(acquire(&machine, "b") == "wait 1")
  }

  @Test func `who does not wait gets a free connection, or opens one, or none`() {
    var machine = Machine(capacity: 2)
    #expect(machine.acquireIfFree().map(text) == "open")
    #expect(machine.acquireIfFree().map(text) == "open")
    #expect(machine.acquireIfFree().map(text) == nil)
    #expect(text(machine.release(1)) == "none")
    #expect(machine.acquireIfFree().map(text) == "use 1")
    #expect(acquire(&machine, "a") == "wait 0")
    #expect(text(machine.release(1)) == "1 to a")
    #expect(machine.acquireIfFree().map(text) == nil)
  }

  // MARK: Barriers

  func begin(_ machine: inout Machine) -> Bool { machine.beginBarrier("barrier") }
  func end(_ machine: inout Machine) -> [String] { machine.endBarrier().map(text) }

  @Test func `a barrier waits for all connections, and newcomers wait for it`() {
    var machine = Machine(capacity: 2)
    #expect(acquire(&machine) == "open")
    #expect(acquire(&machine) == "open")
    #expect(begin(&machine) == false)
    #expect(text(machine.release(1)) == "none")
    #expect(machine.acquireIfIdle() == nil)
    #expect(acquire(&machine, "a") == "wait 0")
    #expect(acquire(&machine, "b") == "wait 1")
    #expect(acquire(&machine, "c") == "wait 2")
    #expect(text(machine.release(2)) == #"tell ["barrier"]"#)
    #expect(end(&machine) == ["2 to a", "1 to b"])
    #expect(text(machine.release(1)) == "1 to c")
  }

  @Test func `a barrier among idle connections is clear at once`() {
    var machine = Machine(capacity: 2, idle: [1])
    #expect(begin(&machine) == true)
    #expect(acquire(&machine, "a") == "wait 0")
    #expect(acquire(&machine, "b") == "wait 1")
    #expect(end(&machine) == ["1 to a", "let b open"])
  }

  @Test func `barriers overlap, and one that gives up leaves the others`() {
    var machine = Machine(capacity: 1)
    #expect(acquire(&machine) == "open")
    let areClear = [machine.beginBarrier("first"), machine.beginBarrier("second")]
    #expect(areClear == [false, false])
    #expect(acquire(&machine, "a") == "wait 0")
    #expect(end(&machine) == [])
    #expect(text(machine.release(1)) == #"tell ["first", "second"]"#)
    #expect(end(&machine) == ["1 to a"])
  }

  @Test func `a barrier is told when the machine closes behind it`() {
    var machine = Machine(capacity: 1)
    #expect(acquire(&machine) == "open")
    #expect(begin(&machine) == false)
    let isDone = machine.close(closer: "closer").isDone
    #expect(!isDone)
    #expect(text(machine.release(1)) == #"close 1, tell ["closer", "barrier"]"#)
    #expect(end(&machine) == [])
  }

  @Test func `an opening that fails clears the way of a barrier`() {
    var machine = Machine(capacity: 1)
    #expect(acquire(&machine) == "open")
    #expect(begin(&machine) == false)
    let decision = machine.connectionDidVanish()
    #expect(text(decision) == #"tell ["barrier"]"#)
  }

  // MARK: Serving

  @Test(arguments: [0, -1])
  func `there is always room for one connection`(capacity: Int) {
    var machine = Machine(capacity: capacity)
    #expect(acquire(&machine) == "open")
    #expect(acquire(&machine, "a") == "wait 0")
  }

  @Test func `a connection that came back is used before another one is opened`() {
    var machine = Machine(capacity: 2)
    #expect(acquire(&machine) == "open")
    #expect(text(machine.release(1)) == "none")
    #expect(acquire(&machine) == "use 1")
    #expect(acquire(&machine) == "open")
  }

  @Test func `who waits is served first come, first served`() {
    var machine = Machine(capacity: 2, idle: [1, 2])
    #expect(acquire(&machine) == "use 2")
    #expect(acquire(&machine) == "use 1")
    for number in 0..<300 { #expect(acquire(&machine, "w\(number)") == "wait \(number)") }
    for number in 0..<300 {
      let connection = number % 2 + 1
      #expect(text(machine.release(connection)) == "\(connection) to w\(number)")
      // Newcomers go to the end.
      if number < 100 { #expect(acquire(&machine, "w\(300 + number)") == "wait \(300 + number)") }
    }
    for number in 300..<400 { #expect(text(machine.release(1)) == "1 to w\(number)") }
    #expect(text(machine.release(1)) == "none")
    #expect(acquire(&machine) == "use 1")
  }

  @Test func `who gives up is passed over`() {
    var machine = Machine(capacity: 1, idle: [1])
    #expect(acquire(&machine) == "use 1")
    for (number, waiter) in ["a", "b", "c", "d"].enumerated() {
      #expect(acquire(&machine, waiter) == "wait \(number)")
    }
    #expect(machine.cancel(1) == "b")
    #expect(machine.cancel(1) == nil)
    #expect(text(machine.release(1)) == "1 to a")
    #expect(machine.cancel(0) == nil)
    #expect(machine.cancel(3) == "d")
    #expect(text(machine.release(1)) == "1 to c")
    #expect(text(machine.release(1)) == "none")
    #expect(machine.cancel(99) == nil)
    #expect(acquire(&machine) == "use 1")
  }

  @Test func `when all have given up, newcomers are served`() {
    var machine = Machine(capacity: 1, idle: [1])
    #expect(acquire(&machine) == "use 1")
    #expect(acquire(&machine, "a") == "wait 0")
    #expect(acquire(&machine, "b") == "wait 1")
    #expect(text(machine.release(1)) == "1 to a")
    #expect(machine.cancel(1) == "b")
    #expect(text(machine.release(1)) == "none")
    #expect(acquire(&machine) == "use 1")
    #expect(acquire(&machine, "c") == "wait 2")
    #expect(text(machine.release(1)) == "1 to c")
  }

  @Test func `an opening that fails leaves its place to who waits`() {
    var machine = Machine(capacity: 1)
    #expect(acquire(&machine) == "open")
    #expect(acquire(&machine, "a") == "wait 0")
    #expect(text(machine.connectionDidVanish()) == "let a open")
    #expect(text(machine.connectionDidVanish()) == "none")
    #expect(acquire(&machine) == "open")
  }

  @Test func `only an idle connection is given to who will not wait`() {
    var machine = Machine(capacity: 2, idle: [1])
    #expect(machine.acquireIfIdle() == 1)
    #expect(machine.acquireIfIdle() == nil)
    #expect(acquire(&machine) == "open")
    #expect(acquire(&machine, "a") == "wait 0")
    #expect(machine.acquireIfIdle() == nil)
  }

  @Test func `idle connections can be taken, and are opened again`() {
    var machine = Machine(capacity: 2, idle: [1, 2])
    #expect(acquire(&machine) == "use 2")
    #expect(machine.takeIdle() == [1])
    #expect(machine.takeIdle() == [])
    #expect(acquire(&machine) == "open")
    #expect(acquire(&machine, "a") == "wait 0")
  }

  // MARK: Closing

  @Test func `an idle machine closes at once`() {
    var machine = Machine(capacity: 2, idle: [1, 2])
    let result = machine.close(closer: "closer")
    #expect(result.idle == [1, 2])
    #expect(result.waiters == [])
    #expect(result.isDone)
    #expect(acquire(&machine) == "fail")
    #expect(machine.acquireIfIdle() == nil)
    #expect(machine.close(closer: "again").isDone)
  }

  @Test func `who closes waits for the last connection, who waited fails`() {
    var machine = Machine(capacity: 3, idle: [1, 2, 3])
    for _ in 0..<2 { _ = acquire(&machine) }
    let first = machine.close(closer: "first")
    #expect(first.idle == [1])
    #expect(!first.isDone)
    #expect(acquire(&machine) == "fail")
    let second = machine.close(closer: "second")
    #expect(second.idle == [])
    #expect(!second.isDone)
    #expect(text(machine.release(2)) == "close 2")
    #expect(text(machine.release(3)) == #"close 3, tell ["first", "second"]"#)
    #expect(machine.close(closer: "late").isDone)
  }

  @Test func `who waits when the machine closes is told once`() {
    var machine = Machine(capacity: 1, idle: [1])
    _ = acquire(&machine)
    for waiter in ["a", "b", "c"] { _ = acquire(&machine, waiter) }
    #expect(text(machine.release(1)) == "1 to a")
    #expect(machine.close(closer: "closer").waiters == ["b", "c"])
    #expect(machine.cancel(1) == nil)
    #expect(text(machine.release(1)) == #"close 1, tell ["closer"]"#)
  }

  @Test func `a connection that cannot be opened counts as closed`() {
    var machine = Machine(capacity: 1)
    #expect(acquire(&machine) == "open")
    #expect(!machine.close(closer: "closer").isDone)
    #expect(text(machine.connectionDidVanish()) == #"close nothing, tell ["closer"]"#)
  }
}
