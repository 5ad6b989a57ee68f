internal import Foundation
internal import Storage

/// The end of the primary for writes that other nodes forward.
///
///     let receiver = WriteReceiver(node, accepting: [Sell.self, Restock.self])
///     // In the service's own RPC, when another node has sent a request:
///     let answer = await receiver.answer(request)
///
/// Each node that may become the primary has one, because any node may be asked at any time: a node
/// that is not the primary says so in its answer. The bytes of requests are checked: bytes that are
/// not a request of an accepted type get an answer with the reason, and nothing is written.
///
/// A request does not say who sends it. Let only the nodes of the service reach the endpoint, for
/// example by TLS with client certificates.
///
/// It is a value that any threads may use at the same time.
public struct WriteReceiver: Sendable {
  private typealias Write = @Sendable (Database) throws -> [UInt8]

  private let node: ReplicatedDatabase
  /// The decoders of the bodies, by the names of the types.
  private let types: [String: @Sendable ([UInt8]) throws -> Write]

  /// Makes a receiver.
  ///
  /// - Parameters:
  ///   - node: The node that writes while it is the primary.
  ///   - types: The types that it accepts. Each has a ``ForwardableWrite/name`` of its own.
  public init(_ node: ReplicatedDatabase, accepting types: [any ForwardableWrite.Type]) {
    self.node = node
    var decoders: [String: @Sendable ([UInt8]) throws -> Write] = [:]
    for type in types {
      let old = decoders.updateValue(Self.decoder(of: type), forKey: type.name)
      precondition(old == nil, "Two types of forwarded writes have the name \(type.name).")
    }
    self.types = decoders
  }

  private static func decoder<Value: ForwardableWrite>(
    of type: Value.Type
  ) -> @Sendable ([UInt8]) throws -> Write {
    { body in
      let write = try JSONDecoder().decode(Value.self, from: Data(body))
      return write.encodedOutput
    }
  }

  /// Answers a request: makes the write, if it is not made already.
  ///
  ///     // INSERT INTO wellspring_writes (id, result, time, epoch, sequence)
  ///     // VALUES (?, ?, ?, ?, ?)
  ///
  /// The row is a part of the transaction of the write, and the answer comes when the log has it.
  /// A request whose row exists is not run again: its answer has the result in the row. So two
  /// requests with one id, at the same time or after a failover, are one write. Rows stay for
  /// ``ReplicationOptions/keptRequestTime``.
  ///
  /// A cancellation removes a write that has not begun.
  ///
  /// - Parameter request: The bytes that another node has sent: see
  ///   ``ReplicationOptions/largestRequest``.
  /// - Returns: The bytes of the answer, for that node. Errors are answers too.
  public func answer(_ request: [UInt8]) async -> [UInt8] {
    await result(of: request).encoded()
  }

  private func result(of bytes: [UInt8]) async -> WriteAnswer {
    let limit = node.node.options.largestRequest
    guard bytes.count <= limit else {
      return .notAccepted("it has \(bytes.count) bytes, and may have \(limit).")
    }
    let request: WriteRequest
    do throws(ForwardingFormatError) {
      request = try WriteRequest(decoding: bytes)
    } catch {
      return .notAccepted(error.description)
    }
    // The types of a node that is not the primary say nothing about the types of the primary.
    do throws(ReplicationError) {
      try node.node.checkMayWrite()
    } catch {
      return .notWritten(error.description)
    }
    guard let type = types[request.name] else {
      return .notAccepted("the type \(request.name) is not registered there.")
    }
    let write: Write
    do {
      write = try type(request.body)
    } catch {
      return .notAccepted("its value is not one of \(request.name): \(error)")
    }
    return await node.answer(request, write)
  }
}

extension ForwardableWrite {
  /// Writes, and returns the output as JSON.
  func encodedOutput(_ db: Database) throws -> [UInt8] {
    Array(try JSONEncoder().encode(try write(db)))
  }
}
