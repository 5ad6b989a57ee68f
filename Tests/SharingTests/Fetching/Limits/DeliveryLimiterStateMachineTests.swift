import Testing

@testable import Sharing

/// Time is drawn as text: each character is a second. A letter is an event that comes or is
/// delivered at that second, `!` is a flush, and `.` is a second in which nothing happens.
@Suite struct DeliveryLimiterStateMachineTests {
  private typealias Machine = DeliveryLimiterStateMachine<Character>

  /// Plays events, and draws the deliveries. Each delivery takes some seconds.
  private func deliveries(
    _ limit: DeliveryLimit,
    _ input: String,
    taking duration: Int = 0
  ) -> String {
    var machine = Machine(limit)
    var output = ""
    var wakeTime: Duration?
    var deliveryEnd: Int?
    for (second, character) in input.enumerated() {
      let now = Duration.seconds(second)
      var delivered: [Character] = []
      func act(_ action: Machine.Action) {
        switch action {
        case .nothing: break
        case .wake(let time): wakeTime = time
        case .deliver(let event):
          delivered.append(event)
          if duration == 0 {
            act(machine.didDeliver(now: now))
          } else {
            deliveryEnd = second + duration
          }
        }
      }
      if deliveryEnd == second {
        deliveryEnd = nil
        act(machine.didDeliver(now: now))
      }
      switch character {
      case ".": break
      case "!": act(machine.flush(now: now))
      default: act(machine.receive(character, now: now).0)
      }
      if let time = wakeTime, time <= now {
        wakeTime = nil
        act(machine.wake(now: now))
      }
      output += delivered.isEmpty ? "." : String(delivered)
    }
    return output
  }

  @Test(arguments: [
    // The first value is never delayed, and the last value always arrives.
    ("a....", "a...."),
    ("ab........", "a..b......"),
    ("abc.......", "a..c......"),
    ("abcdefghi...", "a..d..g..i.."),
    // A value after a quiet interval is not delayed.
    ("ab.......c..", "a..b.....c.."),
    ("a...b...c...", "a...b...c..."),
    // A flush does not wait, and begins an interval.
    ("ab!.c.....", "a.b..c...."),
    ("a!b.......", "a..b......"),
  ])
  func `a throttle delivers one event in three seconds`(input: String, expected: String) {
    #expect(deliveries(.throttle(.seconds(3)), input) == expected)
  }

  @Test(arguments: [
    ("a....", "a...."),
    ("ab........", "a...b....."),
    ("a.....b.......", "a........b...."),
    ("abcdefghi....", "a..........i."),
    ("ab..c..d......", "a.........d..."),
    ("ab...c....", "a...b...c."),
    ("ab!.c......", "a.b....c..."),
    ("a!b.......", "a....b...."),
  ])
  func `a debounce delivers an event after three quiet seconds`(input: String, expected: String) {
    #expect(deliveries(.debounce(.seconds(3)), input) == expected)
  }

  @Test(arguments: [
    (DeliveryLimit.throttle(.seconds(3)), "abcd..........", "a....d........"),
    (.throttle(.seconds(3)), "ab!...........", "a.b..........."),
    (.debounce(.seconds(3)), "abcd..........", "a.....d......."),
    (.debounce(.seconds(3)), "ab!.c.........", "a.b....c......"),
  ])
  func `deliveries that take two seconds come one at a time`(
    limit: DeliveryLimit,
    input: String,
    expected: String
  ) {
    #expect(deliveries(limit, input, taking: 2) == expected)
  }

  @Test func `a limit of no duration delays nothing`() {
    #expect(deliveries(.throttle(.zero), "abc.d") == "abc.d")
    #expect(deliveries(.debounce(.zero), "abc.d") == "abc.d")
  }
}
