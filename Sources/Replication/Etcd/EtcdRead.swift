internal import Foundation

/// A read of one key, or of the keys from one to another.
struct EtcdRead: Sendable {
  var key: String
  /// The first key that is not read; `nil` to read one key.
  var end: String?
  /// The largest number of keys, or 0.
  var limit = 0
  /// Whether the values are left out.
  var keysOnly = false

  /// The read as a part of a transaction in JSON.
  var json: String {
    var fields = [#""key":"\#(EtcdKeys.base64(key))""#]
    if let end { fields.append(#""range_end":"\#(EtcdKeys.base64(end))""#) }
    if limit > 0 { fields.append(#""limit":"\#(limit)""#) }
    if keysOnly { fields.append(#""keys_only":true"#) }
    return #"{"requestRange":{\#(fields.joined(separator: ","))}}"#
  }

  /// The read as a part of a transaction in protocol buffers: a `RequestOp` with a `RangeRequest`.
  fileprivate var protobuf: [UInt8] {
    var range = ProtobufWriter()
    range.append(key.utf8, as: 1)
    if let end { range.append(end.utf8, as: 2) }
    if limit > 0 { range.append(UInt64(limit), as: 3) }
    if keysOnly { range.append(1, as: 8) }
    var operation = ProtobufWriter()
    operation.append(range.bytes, as: 1)
    return operation.bytes
  }
}

extension [EtcdRead] {
  /// A transaction of the reads, in JSON.
  var json: String { #"{"success":[\#(map(\.json).joined(separator: ","))]}"# }

  /// A transaction of the reads, in protocol buffers: a `TxnRequest`.
  ///
  /// https://github.com/etcd-io/etcd/blob/v3.4.23/etcdserver/etcdserverpb/rpc.proto
  var protobuf: [UInt8] {
    var transaction = ProtobufWriter()
    for read in self { transaction.append(read.protobuf, as: 2) }
    return transaction.bytes
  }
}
