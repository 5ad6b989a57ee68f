import Testing

@testable import Replication

/// The meaning of etcd's refusals, in the words of its versions.
@Suite struct EtcdVerdictTests {
  private func verdict(_ status: Int, _ body: String) -> EtcdVerdict {
    EtcdVerdict(status: status, body: Array(body.utf8), limit: 3, bytes: 7)
  }

  /// Version 3.4 sends both fields, version 3.6 only `message`.
  @Test(arguments: [
    #""error": "\#u{1}", "message": "\#u{1}""#, #""message": "\#u{1}", "details": []"#,
  ])
  func `a refusal is understood in the old form and in the new one`(form: String) {
    func body(_ text: String) -> String {
      "{\"code\": 9, \(form.replacing("\u{1}", with: text))}"
    }
    #expect(verdict(401, body("etcdserver: invalid auth token")) == .newToken)
    #expect(
      verdict(400, body("etcdserver: mvcc: required revision has been compacted")) == .compacted
    )
    #expect(
      verdict(400, body("etcdserver: request is too large"))
        == .never(.tooLarge(bytes: 7, limit: 3))
    )
    guard case .never(.full) = verdict(429, body("etcdserver: mvcc: database space exceeded"))
    else { return #expect(Bool(false), "a full store is not recognised") }
    #expect(
      verdict(503, body("etcdserver: leader changed")) == .again("etcdserver: leader changed")
    )
    #expect(verdict(499, body("context canceled")) == .again("context canceled"))
  }

  /// The gateways of the versions 3.4 and 3.5 use different words.
  @Test(arguments: [
    #"connection error: desc = \"transport: authentication handshake failed\""#,
    "connection closed",
    #"connection error: desc = \"error reading server preface: remote error: tls: bad\""#,
  ])
  func `a certificate that is good for servers only is named`(text: String) {
    guard case .again(let reason) = verdict(503, #"{"error": "\#(text)"}"#) else {
      return #expect(Bool(false), "it is not asked again")
    }
    #expect(reason.contains("clientAuth"))
  }

  @Test(arguments: ["", "<html>", "{}", #"{"code": 5}"#])
  func `an answer without a message is not that of etcd`(body: String) {
    guard case .foreign(.unexpected) = verdict(404, body) else {
      return #expect(Bool(false), "\(body) is taken for an answer of etcd")
    }
  }
}
