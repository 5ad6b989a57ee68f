internal import Foundation

/// The meaning of an answer of etcd that is not a success.
enum EtcdVerdict: Equatable {
  /// Another endpoint may do better, or this one later. The request may have had its effect.
  case again(String)
  /// The token is too old.
  case newToken
  /// The key's history before the request's revision is gone.
  case compacted
  /// The request had no effect, and never will.
  case never(ReplicationLogError)
  /// Something else than etcd has answered. The request may have had its effect.
  case foreign(ReplicationLogError)

  init(status: Int, body: [UInt8], limit: Int, bytes: Int) {
    guard let text = try? JSONDecoder().decode(EtcdRefusal.self, from: Data(body)).text else {
      self = .foreign(
        .unexpected(
          "status \(status) without a message of etcd. Check that the endpoint is that of etcd's "
            + "clients (port 2379, not 2380), and that its version is 3.4 or later."
        )
      )
      return
    }
    func has(_ words: String...) -> Bool { words.contains { text.contains($0) } }
    if has("database space exceeded") {
      self = .never(
        .full(
          "etcd's store has reached its quota. Trim the log, then run `etcdctl defrag` and "
            + "`etcdctl alarm disarm`, or start etcd with a larger --quota-backend-bytes."
        )
      )
    } else if has("request is too large", "larger than max") {
      self = .never(.tooLarge(bytes: bytes, limit: limit))
    } else if has("invalid auth token", "revision of auth store is old", "user name is empty") {
      self = .newToken
    } else if has("authentication failed") {
      self = .never(.authentication("wrong name or password."))
    } else if has("permission denied") {
      self = .never(
        .authentication(
          "the user may not use the log's keys. Grant the user's role readwrite on its prefix "
            + "(`etcdctl role grant-permission`)."
        )
      )
    } else if has("authentication is not enabled") {
      self = .never(
        .authentication("this etcd has no users. Leave the credentials out, or enable them.")
      )
    } else if has("required revision has been compacted") {
      self = .compacted
    } else if has("connection closed", "authentication handshake failed", "reading server preface")
    {
      self = .again(
        "\(text): etcd's JSON interface cannot reach the server behind it. With https, the server's "
          + "certificate needs the extended key usages serverAuth and clientAuth"
      )
    } else if status >= 500 || [408, 429, 499].contains(status) {
      // 499 is a call that the server has cancelled.
      self = .again(text)
    } else {
      self = .never(.unexpected("etcd says \"\(text)\"."))
    }
  }
}
