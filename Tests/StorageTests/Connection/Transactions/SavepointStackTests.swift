import Testing

@testable import Storage

/// The stack as text: each savepoint holds the number of its step.
@Suite struct SavepointStackTests {
  @Test(arguments: [
    // A rollback returns the state at the beginning, and keeps the savepoint.
    ("begin a, rollback a, rollback a", "0 0"),
    ("begin a, rollback b", "none"),
    // It ends the savepoints inside.
    ("begin a, begin b, rollback a, rollback b, rollback a", "0 none 0"),
    // A release ends the savepoint and the savepoints inside.
    ("begin a, begin b, begin c, release b, rollback c, rollback a", "released none 0"),
    ("begin a, release b", "none"),
    ("begin a, release a, rollback a", "released none"),
    // A name means the innermost savepoint.
    ("begin a, begin a, rollback a, release a, rollback a", "1 released 0"),
  ])
  func `a name leads to the state at the beginning of its savepoint`(
    script: String,
    expected: String
  ) {
    var stack = SavepointStack<Int>()
    var answers: [String] = []
    for (number, step) in script.split(separator: ",").enumerated() {
      let words = step.split(separator: " ").map(String.init)
      switch words[0] {
      case "begin": stack.begin(words[1], number)
      case "release": answers.append(stack.release(words[1]) ? "released" : "none")
      default: answers.append(stack.rollBack(to: words[1]).map(String.init) ?? "none")
      }
    }
    #expect(answers.joined(separator: " ") == expected)
  }

  @Test func `a stack without savepoints is empty`() {
    var stack = SavepointStack<Int>()
    #expect(stack.isEmpty)
    stack.begin("a", 1)
    #expect(!stack.isEmpty)
    stack.removeAll()
    #expect(stack.isEmpty)
  }
}
