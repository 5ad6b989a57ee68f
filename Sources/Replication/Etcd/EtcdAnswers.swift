internal import Foundation

// The answers of etcd's JSON interface, as far as they are used. Numbers of 64 bits come as texts,
// and fields with their default value do not come.
// https://etcd.io/docs/v3.4/dev-guide/api_grpc_gateway/

struct EtcdHeader: Decodable {
  var cluster_id: String?
  var revision: String?
  var raft_term: String?
}

struct EtcdPair: Decodable {
  var key: Data
  var value: Data?
  var mod_revision: String?
}

struct EtcdRange: Decodable {
  var kvs: [EtcdPair]?
}

struct EtcdTransaction: Decodable {
  struct Response: Decodable {
    var response_range: EtcdRange?
  }

  var header: EtcdHeader
  var succeeded: Bool?
  var responses: [Response]?

  /// Whether the answer is that to several reads.
  func hasRanges(_ count: Int) -> Bool {
    responses?.count == count && responses?.allSatisfy { $0.response_range != nil } == true
  }

  /// The pairs that a read of the transaction found.
  func pairs(_ index: Int) -> [EtcdPair] {
    guard let responses, responses.indices.contains(index) else { return [] }
    return responses[index].response_range?.kvs ?? []
  }
}

/// The answer to a change. Only its header is used.
struct EtcdChange: Decodable {
  var header: EtcdHeader
}

struct EtcdLease: Decodable {
  var header: EtcdHeader
  var ID: String
}

struct EtcdMembers: Decodable {
  struct Member: Decodable {
    var clientURLs: [String]?
  }

  var header: EtcdHeader
  var members: [Member]?
}

struct EtcdStatus: Decodable {
  var header: EtcdHeader
  var version: String
  var dbSize: String?
  var dbSizeInUse: String?
  /// The alarms of the cluster.
  var errors: [String]?
  /// The id of the leader that the member follows.
  var leader: String?
  /// The number of the election that the member knows.
  var raftTerm: String?

  /// The election that the leader has won; `nil` if the member follows none.
  var termOfLeader: UInt64? {
    guard let leader, leader != "0" else { return nil }
    return raftTerm.flatMap { UInt64($0) }
  }
}

struct EtcdToken: Decodable {
  var token: String
}

struct EtcdWatchLine: Decodable {
  struct Event: Decodable {
    var type: String?
    var kv: EtcdPair
  }

  struct Result: Decodable {
    var canceled: Bool?
    var compact_revision: String?
    var events: [Event]?
  }

  var result: Result?
}

struct EtcdRefusal: Decodable {
  /// The message of etcd before version 3.6.
  var error: String?
  /// The message of etcd since version 3.6, and before it too.
  var message: String?

  var text: String? { error ?? message }
}
