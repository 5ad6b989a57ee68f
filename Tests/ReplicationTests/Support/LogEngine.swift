import EtcdSupport
import Foundation
import Replication
import Testing

/// An engine that must pass the conformance suite.
enum LogEngine: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case memory
  case etcd
  case etcdCluster

  var testDescription: String { rawValue }

  private static let single = Result { try EtcdCluster() }
  private static let triple = Result { try EtcdCluster(size: 3) }

  /// A function that makes connections to one new log.
  func newLog() throws -> @Sendable () throws -> any ReplicationLog {
    switch self {
    case .memory:
      let log = MemoryLog()
      return { MemoryLog(sharing: log) }
    case .etcd, .etcdCluster:
      let cluster = try (self == .etcd ? Self.single : Self.triple).get()
      let database = UUID().uuidString
      return { try cluster.log(database) }
    }
  }
}
