internal import CommandLineSupport
internal import Glibc
internal import Storage

/// `wellspring demo-writer FILE`: trades in the shop database of `demo`, until standard input ends.
///
/// The command is internal and not in the usage text. Standard input is a pipe whose other end
/// belongs only to `demo`. So it ends when `demo` ends, for whatever reason.
struct DemoWriterCommand: Subcommand, Equatable {
  static let name = "demo-writer"
  static let summary = "trades in the shop of demo"
  static let help = "Usage:\n  wellspring demo-writer FILE\n"
  static let syntax = ArgumentSyntax()

  let path: String

  init(_ arguments: ParsedArguments) throws {
    guard arguments.positionals.count == 1 else {
      throw UsageError("\(Self.name) needs one FILE")
    }
    path = arguments.positionals[0]
  }

  func run() throws {
    let pool = try DatabasePool(path: path)
    var random = SystemRandomNumberGenerator()
    while !standardInputEnds(within: .random(in: 150...600, using: &random)) {
      let trade = try pool.read { db in
        try Trade.random(in: Shop.items(db), using: &random)
      }
      try pool.write(trade.perform)
    }
    try pool.close()
  }

  /// Waits until standard input ends or the time is over.
  ///
  /// - Returns: Whether standard input has ended.
  private func standardInputEnds(within milliseconds: Int32) -> Bool {
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&input, 1, milliseconds) > 0
  }
}
