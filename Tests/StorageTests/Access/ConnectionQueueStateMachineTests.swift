@testable import Storage
import Testing

/// In these tests, connections are numbers, and waiters are letters.
@Suite struct ConnectionQueueStateMachineTests {
  typealias Machine = ConnectionQueueStateMachine<Int, String>

  /// The decision of the machine, as text.
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
      "close \(connection.map(String.init) ?? "nothing"), notify \(closers)"
    case .notifyAllReturned(let waiters): "notify \(waiters)"
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

  @Test func `a caller that will not wait uses an idle connection, opens one, or gets none`() {
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

  // MARK: Draining

  @Test func `a queue that drains serves its waiters, and refuses new callers`() {
    var machine = Machine(capacity: 1, idle: [1])
    #expect(acquire(&machine) == "use 1")
    #expect(acquire(&machine, "a") == "wait 0")
    machine.drain()
    #expect(acquire(&machine, "b") == "fail")
    #expect(!machine.isDrained)
    #expect(text(machine.release(1)) == "1 to a")
    #expect(!machine.isDrained)
    #expect(text(machine.release(1)) == "none")
    #expect(machine.isDrained)
    #expect(machine.acquireIfIdle() == nil)
    #expect(machine.acquireIfFree().map(text) == nil)
    #expect(machine.takeIdle() == [1])
  }

  @Test func `a queue whose waiters were taken is drained with the last connection`() {
    var machine = Machine(capacity: 1, idle: [1])
    #expect(acquire(&machine) == "use 1")
    #expect(acquire(&machine, "a") == "wait 0")
    #expect(acquire(&machine, "b") == "wait 1")
    machine.drain()
    #expect(machine.takeWaiters() == ["a", "b"])
    #expect(!machine.isDrained)
    #expect(text(machine.release(1)) == "none")
    #expect(machine.isDrained)
  }

  // MARK: Barriers

  func begin(_ machine: inout Machine) -> Bool { machine.beginBarrier("barrier") }
  func end(_ machine: inout Machine) -> [String] { machine.endBarrier().map(text) }

  @Test func `a barrier waits for all connections, and later callers wait for the barrier`() {
    var machine = Machine(capacity: 2)
    #expect(acquire(&machine) == "open")
    #expect(acquire(&machine) == "open")
    #expect(begin(&machine) == false)
    #expect(text(machine.release(1)) == "none")
    #expect(machine.acquireIfIdle() == nil)
    #expect(acquire(&machine, "a") == "wait 0")
    #expect(acquire(&machine, "b") == "wait 1")
    #expect(acquire(&machine, "c") == "wait 2")
    #expect(text(machine.release(2)) == #"notify ["barrier"]"#)
    #expect(end(&machine) == ["2 to a", "1 to b"])
    #expect(text(machine.release(1)) == "1 to c")
  }

  @Test func `a barrier does not wait when all connections are idle`() {
    var machine = Machine(capacity: 2, idle: [1])
    #expect(begin(&machine) == true)
    #expect(acquire(&machine, "a") == "wait 0")
    #expect(acquire(&machine, "b") == "wait 1")
    #expect(end(&machine) == ["1 to a", "let b open"])
  }

  @Test func `barriers overlap, and a barrier that gives up leaves the other ones`() {
    var machine = Machine(capacity: 1)
    #expect(acquire(&machine) == "open")
    let areClear = [machine.beginBarrier("first"), machine.beginBarrier("second")]
    #expect(areClear == [false, false])
    #expect(acquire(&machine, "a") == "wait 0")
    #expect(end(&machine) == [])
    #expect(text(machine.release(1)) == #"notify ["first", "second"]"#)
    #expect(end(&machine) == ["1 to a"])
  }

  @Test func `a barrier is notified when the machine closes while the barrier waits`() {
    var machine = Machine(capacity: 1)
    #expect(acquire(&machine) == "open")
    #expect(begin(&machine) == false)
    let isDone = machine.close(closer: "closer").isDone
    #expect(!isDone)
    #expect(text(machine.release(1)) == #"close 1, notify ["closer", "barrier"]"#)
    #expect(end(&machine) == [])
  }

  @Test func `a connection that fails to open no longer blocks a barrier`() {
    var machine = Machine(capacity: 1)
    #expect(acquire(&machine) == "open")
    #expect(begin(&machine) == false)
    let decision = machine.releaseSlot()
    #expect(text(decision) == #"notify ["barrier"]"#)
  }

  // MARK: Serving

  @Test(arguments: [0, -1])
  func `there is always room for one connection`(capacity: Int) {
    var machine = Machine(capacity: capacity)
    #expect(acquire(&machine) == "open")
    #expect(acquire(&machine, "a") == "wait 0")
  }

  @Test func `a returned connection is used before another one is opened`() {
    var machine = Machine(capacity: 2)
    #expect(acquire(&machine) == "open")
    #expect(text(machine.release(1)) == "none")
    #expect(acquire(&machine) == "use 1")
    #expect(acquire(&machine) == "open")
  }

  @Test func `waiters are served in the order of their requests`() {
    var machine = Machine(capacity: 2, idle: [1, 2])
    #expect(acquire(&machine) == "use 2")
    #expect(acquire(&machine) == "use 1")
    for number in 0..<300 { #expect(acquire(&machine, "w\(number)") == "wait \(number)") }
    for number in 0..<300 {
      let connection = number % 2 + 1
      #expect(text(machine.release(connection)) == "\(connection) to w\(number)")
      // New waiters go to the end.
      if number < 100 { #expect(acquire(&machine, "w\(300 + number)") == "wait \(300 + number)") }
    }
    for number in 300..<400 { #expect(text(machine.release(1)) == "1 to w\(number)") }
    #expect(text(machine.release(1)) == "none")
    #expect(acquire(&machine) == "use 1")
  }

  @Test func `a waiter that gives up is skipped`() {
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

  @Test func `when all waiters have given up, new callers are served`() {
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

  @Test func `a connection that fails to open leaves its place to a waiter`() {
    var machine = Machine(capacity: 1)
    #expect(acquire(&machine) == "open")
    #expect(acquire(&machine, "a") == "wait 0")
    #expect(text(machine.releaseSlot()) == "let a open")
    #expect(text(machine.releaseSlot()) == "none")
    #expect(acquire(&machine) == "open")
  }

  @Test func `a caller that will neither wait nor open one gets an idle connection only`() {
    var machine = Machine(capacity: 2, idle: [1])
    #expect(machine.acquireIfIdle() == 1)
    #expect(machine.acquireIfIdle() == nil)
    #expect(acquire(&machine) == "open")
    #expect(acquire(&machine, "a") == "wait 0")
    #expect(machine.acquireIfIdle() == nil)
  }

  @Test func `idle connections that were taken are replaced by new ones`() {
    var machine = Machine(capacity: 2, idle: [1, 2])
    #expect(acquire(&machine) == "use 2")
    #expect(machine.takeIdle() == [1])
    #expect(machine.takeIdle() == [])
    #expect(acquire(&machine) == "open")
    #expect(acquire(&machine, "a") == "wait 0")
  }

  @Test func `a served waiter is released`() {
    final class Waiter: Sendable {}
    var machine = ConnectionQueueStateMachine<Int, Waiter>(capacity: 1, idle: [1])
    _ = machine.acquire { _ in Waiter() }
    weak var first: Waiter?
    _ = machine.acquire { _ in
      let waiter = Waiter(); first = waiter; return waiter
    }
    _ = machine.acquire { _ in Waiter() }
    _ = machine.release(1)
    _ = machine.cancel(1)
    #expect(first == nil)
  }

  // MARK: Closing

  @Test func `a machine without connections in use closes immediately`() {
    var machine = Machine(capacity: 2, idle: [1, 2])
    let result = machine.close(closer: "closer")
    #expect(result.idle == [1, 2])
    #expect(result.waiters == [])
    #expect(result.isDone)
    #expect(acquire(&machine) == "fail")
    #expect(machine.acquireIfIdle() == nil)
    #expect(machine.close(closer: "again").isDone)
  }

  @Test func `a closer waits for the last connection`() {
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
    #expect(text(machine.release(3)) == #"close 3, notify ["first", "second"]"#)
    #expect(machine.close(closer: "late").isDone)
  }

  @Test func `closing fails each waiter once`() {
    var machine = Machine(capacity: 1, idle: [1])
    _ = acquire(&machine)
    for waiter in ["a", "b", "c"] { _ = acquire(&machine, waiter) }
    #expect(text(machine.release(1)) == "1 to a")
    #expect(machine.close(closer: "closer").waiters == ["b", "c"])
    #expect(machine.cancel(1) == nil)
    #expect(text(machine.release(1)) == #"close 1, notify ["closer"]"#)
  }

  @Test func `a connection that fails to open counts as closed`() {
    var machine = Machine(capacity: 1)
    #expect(acquire(&machine) == "open")
    #expect(!machine.close(closer: "closer").isDone)
    #expect(text(machine.releaseSlot()) == #"close nothing, notify ["closer"]"#)
  }
}
