import Foundation

/// Network namespaces on this machine with one link each, and a switch between them.
///
/// Nothing else can reach them. Its owner uses it on one thread at a time, and must call
/// ``remove()``; ``Cleanup`` does it when the process ends early.
final class PartitionNetwork {
  /// Which packets of a host are lost.
  enum Direction: String, CaseIterable {
    case both = "both ways"
    case outgoing = "only outgoing"
    case incoming = "only incoming"
  }

  let hosts: [Host]
  private let packetSwitch: PacketSwitch
  private var hostsDown: Set<Host> = []

  /// Makes a network, after it has removed the networks of processes that are gone.
  ///
  /// - Throws: ``LabError/notAllowed(_:)`` where namespaces or their devices are not allowed.
  init(hosts names: [String], seed: UInt64 = 1) throws {
    Self.removeLeftovers()
    hosts = names.enumerated().map { index, name in
      Host(name: name, index: index, namespace: "\(LabProcess.prefix)\(getpid())-\(name)")
    }
    let namespaces = hosts.map(\.namespace)
    Cleanup.add(.removeNamespaces(namespaces))
    var devices: [TunnelDevice] = []
    do {
      for host in hosts {
        try LabProcess.run(["ip", "netns", "add", host.namespace])
        // A name that is free where the device is made; it has another name where it is used.
        let device = try TunnelDevice(name: "ws\(getpid())h\(host.index)")
        devices.append(device)
        let words = ["ip", "-n", host.namespace]
        try LabProcess.run(["ip", "link", "set", device.name, "netns", host.namespace])
        try LabProcess.run(words + ["link", "set", device.name, "name", "lab"])
        try LabProcess.run(words + ["link", "set", "lo", "up"])
        try LabProcess.run(words + ["address", "add", "\(host.address)/24", "dev", "lab"])
        try LabProcess.run(words + ["link", "set", "lab", "mtu", "1500", "up"])
      }
      try LabProcess.run(["ip", "netns", "exec", hosts[0].namespace, "true"])
    } catch {
      for device in devices { close(device.descriptor) }
      Self.remove(namespaces)
      throw LabError.notAllowed("\(error)")
    }
    packetSwitch = PacketSwitch(devices, seed: seed)
  }

  /// Removes the network. Processes in it must have ended.
  func remove() {
    packetSwitch.stop()
    Self.remove(hosts.map(\.namespace))
  }

  /// The host of a name.
  subscript(name: String) -> Host {
    guard let host = hosts.first(where: { $0.name == name }) else {
      preconditionFailure("No host has the name \(name).")
    }
    return host
  }

  /// How many bytes of packets a host has got.
  func receivedBytes(_ host: Host) -> Int { packetSwitch.receivedBytes(host.index) }

  // MARK: Rules

  /// Loses all packets between a host and other hosts, in silence.
  func cut(_ host: Host, from others: [Host], _ direction: Direction = .both) {
    packetSwitch.change { rules in
      for other in others where other != host {
        if direction != .incoming { rules[from: host.index, to: other.index].isCut = true }
        if direction != .outgoing { rules[from: other.index, to: host.index].isCut = true }
      }
    }
  }

  /// Changes the rules for packets between a host and all other hosts, in both directions.
  func spoil(_ host: Host, _ change: (inout PairRule) -> Void) {
    packetSwitch.change { rules in
      for other in hosts where other != host {
        change(&rules[from: host.index, to: other.index])
        change(&rules[from: other.index, to: host.index])
      }
    }
  }

  /// Limits how many bits the link of a host carries in a second, in each direction.
  func limit(_ host: Host, bitsPerSecond: Double?) {
    packetSwitch.change { $0.rates[host.index] = bitsPerSecond.map { $0 / 8 } }
  }

  /// Takes the link of a host down: the host notices it.
  func takeDown(_ host: Host) throws {
    try LabProcess.run(["ip", "-n", host.namespace, "link", "set", "lab", "down"])
    hostsDown.insert(host)
  }

  /// Ends all rules, and takes all links up.
  func heal() throws {
    packetSwitch.change { $0 = LinkRules(count: hosts.count) }
    for host in hostsDown {
      try LabProcess.run(["ip", "-n", host.namespace, "link", "set", "lab", "up"])
    }
    hostsDown = []
  }

  // MARK: Removal

  private static func removeLeftovers() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/run/netns")) ?? []
    remove(names.filter(LabProcess.isLeftover))
  }

  /// Removes namespaces, and skips names without a namespace.
  static func remove(_ namespaces: [String]) {
    for namespace in namespaces
    where FileManager.default.fileExists(atPath: "/run/netns/\(namespace)") {
      _ = try? LabProcess.run(["ip", "netns", "delete", namespace])
    }
  }
}
