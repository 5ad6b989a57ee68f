package import Foundation

/// One member of etcd, as a process of its own with its own directory.
///
/// Its owner uses it on one thread at a time.
package final class EtcdServer: @unchecked Sendable {
  package let name: String
  package let clientURL: String
  /// Where it listens to the other members.
  package let peerURL: String
  /// Where the other members reach it.
  package var advertisedPeerURL: String
  private let directory: String
  private let options: [String]
  package private(set) var process: pid_t = 0

  /// The folder with the programs of etcd. The environment may name the folder of another version.
  package static let programs = ProcessInfo.processInfo.environment["WELLSPRING_ETCD"] ?? "/usr/bin"

  package init(name: String, directory: String, scheme: String = "http", options: [String] = []) {
    self.name = name
    self.directory = directory
    self.options = options
    clientURL = "\(scheme)://127.0.0.1:\(TestPort.reserve())"
    peerURL = "http://127.0.0.1:\(TestPort.reserve())"
    advertisedPeerURL = peerURL
  }

  deinit { kill() }

  /// Starts the member, or starts it again with its data, and waits until it listens.
  package func start(cluster: String, timing: [String] = []) throws {
    let arguments =
      [
        Self.programs + "/etcd", "--name", name, "--data-dir", "\(directory)/\(name)",
        "--listen-client-urls", clientURL, "--advertise-client-urls", clientURL,
        "--listen-peer-urls", peerURL, "--initial-advertise-peer-urls", advertisedPeerURL,
        "--initial-cluster", cluster, "--initial-cluster-state", "new", "--pre-vote",
        "--log-outputs", "\(directory)/\(name).log", "--logger", "zap",
      ] + timing + options
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in 0...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var environment: [UnsafeMutablePointer<CChar>?] = [strdup("GOMAXPROCS=2"), nil]
    defer { free(environment[0]) }
    let code = posix_spawn(&process, arguments[0], &actions, nil, &words, &environment)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .ENOENT) }
    try awaitListening()
  }

  /// A member that ended instead of starting, with its last messages.
  package struct Ended: Error, CustomStringConvertible {
    let name: String
    let messages: [Substring]

    package var description: String {
      (["The member \(name) of etcd has ended:"] + messages.map(String.init))
        .joined(separator: "\n")
    }
  }

  private func awaitListening() throws {
    let ports = [peerURL, clientURL].map { UInt16($0.split(separator: ":").last ?? "") ?? 0 }
    while !ports.allSatisfy(Loopback.accepts) {
      guard waitpid(process, nil, WNOHANG) == 0 else {
        process = 0
        let log = try? String(contentsOfFile: "\(directory)/\(name).log", encoding: .utf8)
        throw Ended(name: name, messages: (log ?? "").split(separator: "\n").suffix(5))
      }
      usleep(10_000)
    }
  }

  /// Sends a signal to the member. After `SIGSTOP`, it answers no more.
  package func signal(_ signal: Int32) {
    guard process != 0 else { return }
    Foundation.kill(process, signal)
    guard signal == SIGSTOP else { return }
    // Its threads stop one after the other, and may answer until then.
    var status: Int32 = 0
    while waitpid(process, &status, WUNTRACED) == -1, errno == EINTR {}
  }

  /// Ends the member as a crash does.
  package func kill() {
    guard process != 0 else { return }
    signal(SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1, errno == EINTR {}
    process = 0
  }
}
