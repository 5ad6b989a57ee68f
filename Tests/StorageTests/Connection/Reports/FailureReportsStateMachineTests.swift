import Testing
import TestSupport

@testable import Storage

/// Time is drawn as text: each character is a second. In the input, a letter is a failure with that
/// text, `!` flushes, and `.` is a second without anything. In the output, `a` is a report of one
/// failure, `a3` of three, and `*` means other sources.
@Suite struct FailureReportsStateMachineTests {
  private struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  /// Plays failures, and returns the reports, with the second at which each comes.
  private func reports(
    _ input: String,
    length: Int = 4,
    capacity: Int = 2
  ) -> String {
    var machine = FailureReportsStateMachine(length: .seconds(length), capacity: capacity)
    var output: [String] = []
    var wakeTime: Duration?
    func act(_ effects: FailureReportsStateMachine.Effects, at second: Int) {
      for report in effects.reports {
        let isOther = report.source == FailureReportsStateMachine.otherSources
        let count = report.count > 1 ? "\(report.count)" : ""
        output.append("\(second):\(isOther ? "*" : "\(report.error)")\(count)")
      }
      if let time = effects.wakeTime { wakeTime = time }
    }
    for (second, character) in input.enumerated() {
      if let time = wakeTime, time <= .seconds(second) {
        wakeTime = nil
        act(machine.wake(now: .seconds(second)), at: second)
      }
      guard character != "." else { continue }
      guard character != "!" else {
        act(machine.flush(now: .seconds(second)), at: second)
        continue
      }
      let error = Failed(description: String(character))
      act(
        machine.receive(.init(source: "key", error: error), now: .seconds(second)),
        at: second
      )
    }
    return output.joined(separator: " ") + (wakeTime == nil ? "" : " …")
  }

  @Test func `a single failure is reported at once, and needs no timer`() {
    #expect(reports("a") == "0:a")
    #expect(reports("a.....") == "0:a")
  }

  @Test func `a flood is one report, and one with the count for each window`() {
    #expect(reports("aaaa") == "0:a …")
    #expect(reports("aaaa.") == "0:a 4:a3")
    #expect(reports("aaaaaaaaaaaa.") == "0:a 4:a3 8:a4 12:a4")
  }

  @Test func `a flush reports what was counted, and nothing twice`() {
    #expect(reports("aaa!") == "0:a 3:a2 …")
    #expect(reports("aaa!......") == "0:a 3:a2")
    #expect(reports("aaa!a......") == "0:a 3:a2 7:a")
    #expect(reports("a!!...") == "0:a")
  }

  @Test func `a failure after a quiet window is reported at once`() {
    #expect(reports("a....a") == "0:a 5:a")
    #expect(reports("aa...........a") == "0:a 4:a 13:a")
  }

  @Test func `different failures are told apart`() {
    #expect(reports("abab....") == "0:a 1:b 4:a 5:b")
  }

  @Test func `failures for which there is no room are counted together`() {
    #expect(reports("abcdef.....", length: 8) == "0:a 1:b 2:c 10:*3")
  }

  @Test func `room is made by failures that do not come any more`() {
    #expect(reports("ab....cd") == "0:a 1:b 6:c 7:d")
  }

  @Test func `counts add up to the number of failures`() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let input = String(
        (0..<60).map { _ in "abcd......".randomElement(using: &generator) ?? "." }
      )
      let failures = input.count { $0 != "." }
      let output = reports(input + String(repeating: ".", count: 12))
      let counts = output.split(separator: " ").map { report in
        Int(String(report.split(separator: ":")[1].dropFirst())) ?? 1
      }
      #expect(counts.reduce(0, +) == failures, "\(input) → \(output)")
    }
  }
}
