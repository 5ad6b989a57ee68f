@testable import Storage
import Testing

@Suite struct ArgumentMatchingTests {
  @Test func `positional values go to all parameters from left to right`() {
    let matching = ArgumentMatching([1, nil, "x"], parameterNames: [nil, "a", nil])
    #expect(matching.values == [1.databaseValue, .null, "x".databaseValue])
    #expect(matching.problem == nil)
  }

  @Test func `a named value goes to its parameter, and positional values to the rest`() {
    let matching = ArgumentMatching([1, 2] + ["b": 3], parameterNames: ["a", "b", nil])
    #expect(matching.values == [1, 3, 2].map(\.databaseValue))
    #expect(matching.problem == nil)
  }

  @Test func `a parameter without a value is a problem`() {
    let matching = ArgumentMatching(["b": 3], parameterNames: ["a", "b", nil])
    #expect(matching.values == [nil, 3.databaseValue, nil])
    #expect(
      matching.problem
        == "missing statement arguments: :a, number 3 (the statement has 3, 1 given)"
    )
  }

  @Test func `a positional value without a parameter is a problem`() {
    #expect(
      ArgumentMatching([1, 2], parameterNames: [nil]).problem
        == "too many statement arguments: the statement has 1, 2 given"
    )
  }

  @Test func `a named value without a parameter is ignored`() {
    let matching = ArgumentMatching([1] + ["z": 2, "b": 3], parameterNames: [nil, "b"])
    #expect(matching.values == [1, 3].map(\.databaseValue))
    #expect(matching.problem == nil)
  }
}
