import Testing

@testable import Replication

/// The results of a call after its attempts, as text.
@Suite struct EtcdAttemptTests {
  /// Notes attempts, with two endpoints.
  ///
  /// - Returns: The result of the call.
  private func result(_ attempts: String) -> String {
    var progress = EtcdCallProgress()
    do {
      for word in attempts.split(separator: " ") {
        if let result = try progress.note(attempt(word), of: 2) { return text(result) }
      }
      return text(try progress.end())
    } catch {
      return "\(error)"
    }
  }

  private func attempt(_ word: Substring) -> EtcdAttempt<Int> {
    switch word {
    case "answer": .answered(1)
    case "again": .failed("busy", .init(mayHaveArrived: true))
    case "never": .hopeless(.unexpected("never"))
    case "foreign": .hopeless(.unexpected("foreign"), mayHaveArrived: true)
    case "not-sent": EtcdAttempt(.notSent("away"), "a", wasSent: true)
    case "broken": EtcdAttempt(.broken("cut"), "a", wasSent: true)
    case "no-token": EtcdAttempt(.broken("cut"), "a", wasSent: false)
    case "refused": EtcdAttempt(.refused("wrong"), "a", wasSent: true)
    case "closed": EtcdAttempt(.closed, "a", wasSent: true)
    case "closed-early": EtcdAttempt(.closed, "a", wasSent: false)
    default: .failed("\(word)", .init())
    }
  }

  private func text(_ result: EtcdResult<Int>) -> String {
    switch result {
    case .answer: "answer"
    case .unknown(let text): "unknown: \(text)"
    }
  }

  private static let advice = "Check the endpoint, and that etcd runs."

  @Test(arguments: [
    ("", "\(ReplicationLogError.unavailable("No answer."))"),
    ("answer", "answer"),
    ("again not-sent answer", "answer"),
    // Only an attempt whose request may have arrived leaves the outcome open.
    ("not-sent", "\(ReplicationLogError.unavailable("a: away. \(advice)"))"),
    ("no-token", "\(ReplicationLogError.unavailable("a: cut. \(advice)"))"),
    ("broken", "unknown: a: cut. \(advice)"),
    ("broken not-sent", "unknown: a: away. \(advice)"),
    ("again", "unknown: busy"),
    // A refusal says nothing about an earlier attempt.
    ("never", "\(ReplicationLogError.unexpected("never"))"),
    ("not-sent never", "\(ReplicationLogError.unexpected("never"))"),
    ("again never", "unknown: \(ReplicationLogError.unexpected("never"))"),
    ("foreign", "unknown: \(ReplicationLogError.unexpected("foreign"))"),
    // Another endpoint may have a right certificate.
    ("refused answer", "answer"),
    (
      "refused not-sent",
      "\(ReplicationLogError.authentication("a: wrong. Check the certificates and their authority."))"
    ),
    ("refused broken", "unknown: a: cut. \(advice)"),
    ("closed", "unknown: the log was closed."),
    ("closed-early", "\(ReplicationLogError.closed)"),
    ("again closed-early", "unknown: the log was closed."),
  ])
  func `attempts lead to a result`(attempts: String, expected: String) {
    #expect(result(attempts) == expected)
  }

  @Test func `only requests that were sent count as silent`() throws {
    var progress = EtcdCallProgress()
    let sent = EtcdAttempt<Int>(.silent("still"), "a", wasSent: true)
    let token = EtcdAttempt<Int>(.silent("still"), "a", wasSent: false)
    for attempt in [sent, token, sent] { _ = try progress.note(attempt, of: 3) }
    #expect(progress.silences == 2)
    #expect(progress.attempts == 3)
    #expect(sent.leavesEndpoint && token.leavesEndpoint)
    #expect(!EtcdAttempt.answered(1).leavesEndpoint)
  }
}
