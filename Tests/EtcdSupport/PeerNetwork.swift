internal import Foundation

/// The network between the members of a cluster: it can cut members off from the other members,
/// while clients still reach them.
package final class PeerNetwork: @unchecked Sendable {
  // Safe to share: a lock guards the mutable state.

  private struct Link {
    /// The number of the member that has opened it.
    let sender: String?
    let to: String
    let sockets: [Int32]
  }

  private let lock = NSLock()
  private var listeners: [Int32] = []
  private var links: [Int: Link] = [:]
  private var lastLink = 0
  private var names: [String: String] = [:]
  private var isolated: Set<String> = []

  /// Makes the network of members that have not started, which advertise it from then on.
  init(of servers: [EtcdServer]) throws {
    for server in servers {
      let port = TestPort.reserve()
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      let bound = Loopback.withAddress(port) { bind(listener, $0, $1) }
      guard bound == 0, listen(listener, 64) == 0 else { throw POSIXError(.EADDRINUSE) }
      listeners.append(listener)
      server.advertisedPeerURL = "http://127.0.0.1:\(port)"
      let target = UInt16(server.peerURL.split(separator: ":").last ?? "") ?? 0
      let name = server.name
      Thread.detachNewThread { [weak self] in
        while true {
          let client = accept(listener, nil, nil)
          guard client >= 0 else { return }
          Thread.detachNewThread { [weak self] in
            if let self { self.serve(client, name, target) } else { close(client) }
          }
        }
      }
    }
  }

  /// Sets the names of members, by the numbers that they send.
  func know(_ names: [String: String]) { lock.withLock { self.names = names } }

  /// Cuts members off from all other members, and connects all members that are not named.
  package func isolate(_ names: Set<String>) {
    lock.withLock {
      isolated = names
      for link in links.values where isCut(link.sender, to: link.to) {
        for socket in link.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
      }
    }
  }

  /// Ends the network.
  func end() {
    lock.withLock {
      for listener in listeners {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
      }
      for link in links.values {
        for socket in link.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
      }
    }
  }

  private func isCut(_ sender: String?, to name: String) -> Bool {
    isolated.contains(name) || sender.flatMap { names[$0] }.map(isolated.contains) ?? false
  }

  private func serve(_ client: Int32, _ name: String, _ port: UInt16) {
    defer { close(client) }
    guard let head = Self.readHead(client) else { return }
    let target = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(target) }
    let number = lock.withLock { () -> Int? in
      // A member sends its number with each request, and keeps its connections for itself.
      let sender = Self.sender(head)
      guard !isCut(sender, to: name) else { return nil }
      lastLink += 1
      links[lastLink] = Link(sender: sender, to: name, sockets: [client, target])
      return lastLink
    }
    guard let number else { return }
    defer { lock.withLock { links[number] = nil } }
    guard Loopback.withAddress(port, { connect(target, $0, $1) }) == 0 else { return }
    Self.send(head[...], to: target)
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      Self.copy(target, to: client)
      done.signal()
    }
    Self.copy(client, to: target)
    done.wait()
  }

  private static func sender(_ head: [UInt8]) -> String? {
    let lines = String(decoding: head, as: UTF8.self).lowercased().split(separator: "\r\n")
    return lines.first { $0.hasPrefix("x-server-from:") }
      .map { $0.dropFirst(14).trimmingCharacters(in: .whitespaces) }
  }

  private static func readHead(_ client: Int32) -> [UInt8]? {
    var head: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while !String(decoding: head, as: UTF8.self).contains("\r\n\r\n") {
      let count = recv(client, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      head += buffer[..<count]
    }
    return head
  }

  /// Passes on the received bytes, until one side ends.
  private static func copy(_ source: Int32, to target: Int32) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(source, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      send(buffer[..<count], to: target)
    }
    shutdown(target, Int32(SHUT_RDWR))
    shutdown(source, Int32(SHUT_RDWR))
  }

  private static func send(_ bytes: ArraySlice<UInt8>, to socket: Int32) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
