internal import Foundation

// The answers that come by gRPC, from the same fields as the answers in JSON.

extension EtcdTransaction {
  /// Reads a `TxnResponse`.
  init(protobuf bytes: ArraySlice<UInt8>) throws(ProtobufReader.Malformed) {
    self.init(header: EtcdHeader(), responses: [])
    var reader = ProtobufReader(bytes)
    while let field = try reader.next() {
      switch (field.number, field.value) {
      case (1, .bytes(let bytes)): header = try EtcdHeader(protobuf: bytes)
      case (2, .number(let number)): succeeded = number != 0
      case (3, .bytes(let bytes)): responses?.append(try Response(protobuf: bytes))
      default: break
      }
    }
  }
}

extension EtcdTransaction.Response {
  /// Reads a `ResponseOp`.
  fileprivate init(protobuf bytes: ArraySlice<UInt8>) throws(ProtobufReader.Malformed) {
    var reader = ProtobufReader(bytes)
    while let field = try reader.next() {
      guard field.number == 1, case .bytes(let bytes) = field.value else { continue }
      response_range = try EtcdRange(protobuf: bytes)
    }
  }
}

extension EtcdHeader {
  /// Reads a `ResponseHeader`.
  fileprivate init(protobuf bytes: ArraySlice<UInt8>) throws(ProtobufReader.Malformed) {
    var reader = ProtobufReader(bytes)
    while let field = try reader.next() {
      guard case .number(let number) = field.value else { continue }
      switch field.number {
      case 1: cluster_id = "\(number)"
      case 3: revision = "\(number)"
      case 4: raft_term = "\(number)"
      default: break
      }
    }
  }
}

extension EtcdRange {
  /// Reads a `RangeResponse`.
  fileprivate init(protobuf bytes: ArraySlice<UInt8>) throws(ProtobufReader.Malformed) {
    var pairs: [EtcdPair] = []
    var reader = ProtobufReader(bytes)
    while let field = try reader.next() {
      guard field.number == 2, case .bytes(let bytes) = field.value else { continue }
      pairs.append(try EtcdPair(protobuf: bytes))
    }
    kvs = pairs
  }
}

extension EtcdPair {
  /// Reads a `KeyValue`.
  fileprivate init(protobuf bytes: ArraySlice<UInt8>) throws(ProtobufReader.Malformed) {
    self.init(key: Data())
    var reader = ProtobufReader(bytes)
    while let field = try reader.next() {
      switch (field.number, field.value) {
      case (1, .bytes(let bytes)): key = Data(bytes)
      case (3, .number(let number)): mod_revision = "\(number)"
      case (5, .bytes(let bytes)): value = Data(bytes)
      default: break
      }
    }
  }
}
