import Testing

@testable import Replication

/// The search of a client that knows election 7 among three members, as text: in each line the time
/// in milliseconds, the member, and its answer.
@Suite struct EtcdLeaderSearchTests {
  private static let millisecond: UInt64 = 1_000_000

  /// Returns the results of the answers, and when the search ends then.
  private func search(_ answers: String) throws -> String {
    var search = EtcdLeaderSearch(
      among: [0, 1, 2],
      after: 7,
      from: 0,
      until: 120_000 * Self.millisecond
    )
    var found: [String] = []
    for answer in answers.split(separator: ",") {
      let words = answer.split(separator: " ")
      let now = try #require(UInt64(words[0])) * Self.millisecond
      let member = try #require(Int(words[1]))
      switch words[2] {
      case "silent": search.didNotAnswer(member)
      default:
        let term = UInt64(words[2])
        if search.didAnswer(member, termOfLeader: term, at: now) { found.append("\(member)") }
      }
    }
    let end = search.end / Self.millisecond
    return found.isEmpty ? "until \(end)" : found.joined(separator: ", ")
  }

  @Test(
    arguments: [
      ("", "until 500"),
      ("0 0 silent,0 1 7,0 2 7", "until 500"),
      ("0 0 silent,0 1 8", "1"),
      // A member that was away tells an older election.
      ("0 0 6,0 1 7,0 2 7", "until 500"),
      // An election: the search waits for its end.
      ("0 0 silent,100 1 none,150 2 none", "until 120000"),
      ("0 0 silent,100 1 none,150 2 none,900 1 none,950 2 8", "2"),
      // The members notice the absence of the leader at different times.
      ("0 0 silent,100 1 none,150 2 7", "until 1100"),
      ("0 0 silent,100 1 none,150 2 7,700 1 none,750 2 none", "until 120000"),
      ("0 0 silent,100 1 none,150 2 7,700 1 none,750 2 silent", "until 1100"),
      // The leader was only late: it leads on, without an election.
      ("0 0 silent,100 1 none,150 2 7,200 1 7", "1"),
      ("0 0 7,100 1 none,150 2 none,200 0 7,250 1 none,300 2 7", "2"),
      // A member that is cut off from the others does not hold the client up.
      ("0 0 none,50 1 7,100 2 7,900 0 none,950 1 7,990 2 7", "until 1000"),
      ("0 0 none,50 1 silent,100 2 silent,200 0 6", "until 1000"),
      ("0 0 silent,0 1 silent,0 2 silent", "until 0"),
    ]
  )
  func `a client waits for a member that follows a live leader`(
    answers: String,
    expected: String
  ) throws {
    #expect(try search(answers) == expected)
  }

  @Test func `the end of the call ends the search`() {
    var search = EtcdLeaderSearch(among: [0, 1], after: 7, from: 10, until: 300)
    #expect(search.end == 300)
    for (member, term) in [(0, nil), (1, 7)] as [(Int, UInt64?)] {
      let isFound = search.didAnswer(member, termOfLeader: term, at: 20)
      #expect(!isFound)
      #expect(search.end == 300)
    }
    search.didNotAnswer(0)
    search.didNotAnswer(1)
    #expect(search.members == [])
  }
}
