/// What the command line says.
enum Options {
  /// Run servers and nodes, and watch them.
  case cluster(ClusterOptions)
  /// Run one node.
  case node(NodeOptions)
  case help

  struct ClusterOptions {
    var servers = 1
    /// After how many seconds to end; `nil` for Ctrl-C.
    var seconds: Int?
    /// Every how many seconds to kill the primary; `nil` for never.
    var killing: Int?
  }

  struct NodeOptions {
    var name = ""
    var file = ""
    var endpoints: [String] = []
    var snapshots = ""
    /// The port on which the node listens. 0 stands for one that is free.
    var port: UInt16 = 0
    /// Whether to report lines of JSON, and to obey the standard input.
    var isSupervised = false
  }

  /// Is thrown for a command line that makes no sense.
  struct Mistake: Error {
    let message: String
  }

  static let usage = """
    usage: shop [--servers 1|3] [--seconds N] [--kill-primary N]
           shop node --name NAME --file FILE --endpoints URL[,URL…] [--snapshots DIRECTORY]
                     [--port N]

      The first form starts etcd, and three nodes in processes of their own.
      --servers        how many servers of etcd to start (1)
      --seconds        end after so many seconds, instead of on Ctrl-C
      --kill-primary   kill the primary every so many seconds

      The second form runs one node. All nodes are on one machine, because they listen on
      127.0.0.1 only.
      --snapshots      a directory that all nodes reach
      --port           where the node listens for customers and nodes (one that is free)
    """

  init(_ arguments: some Sequence<String>) throws {
    var arguments = Array(arguments)[...]
    if arguments.contains("--help") || arguments.contains("-h") {
      self = .help
    } else if arguments.first == "node" {
      arguments.removeFirst()
      self = try .node(Self.node(arguments))
    } else {
      self = try .cluster(Self.cluster(arguments))
    }
  }

  private static func cluster(_ arguments: ArraySlice<String>) throws -> ClusterOptions {
    var options = ClusterOptions()
    try forEach(arguments, flags: []) { name, value in
      guard let number = Int(value), number > 0 else {
        throw Mistake(message: "\(name) takes a number above zero, not \(value)")
      }
      switch name {
      case "--servers" where number % 2 == 1: options.servers = number
      case "--servers": throw Mistake(message: "--servers takes an odd number")
      case "--seconds": options.seconds = number
      case "--kill-primary": options.killing = number
      default: throw Mistake(message: "unknown argument: \(name)")
      }
    }
    return options
  }

  private static func node(_ arguments: ArraySlice<String>) throws -> NodeOptions {
    var options = NodeOptions()
    try forEach(arguments, flags: ["--supervised"]) { name, value in
      switch name {
      case "--name": options.name = value
      case "--file": options.file = value
      case "--endpoints": options.endpoints = value.split(separator: ",").map(String.init)
      case "--snapshots": options.snapshots = value
      case "--port":
        guard let port = UInt16(value) else { throw Mistake(message: "--port takes a port") }
        options.port = port
      case "--supervised": options.isSupervised = true
      default: throw Mistake(message: "unknown argument: \(name)")
      }
    }
    guard !options.name.isEmpty, !options.file.isEmpty, !options.endpoints.isEmpty else {
      throw Mistake(message: "a node needs --name, --file and --endpoints")
    }
    return options
  }

  private static func forEach(
    _ arguments: ArraySlice<String>,
    flags: Set<String>,
    _ body: (_ name: String, _ value: String) throws -> Void
  ) throws {
    var arguments = arguments.makeIterator()
    while let name = arguments.next() {
      if flags.contains(name) {
        try body(name, "")
      } else if name.hasPrefix("--") {
        guard let value = arguments.next() else { throw Mistake(message: "\(name) needs a value") }
        try body(name, value)
      } else {
        throw Mistake(message: "unknown argument: \(name)")
      }
    }
  }
}
