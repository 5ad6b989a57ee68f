/// What the command line says.
struct Options {
  /// Is thrown for a command line that makes no sense.
  struct Mistake: Error {
    let message: String
  }

  static let usage = """
    usage: board [--file FILE] [--host ADDRESS] [--port PORT] [--name NAME]…

      --file FILE     the database, which is created if it is missing (board.sqlite)
      --host ADDRESS  the address to listen on (127.0.0.1)
      --port PORT     the port to listen on, or 0 for one that is free (8022)
      --name NAME     a name by which browsers know the board, for example behind a proxy
    """

  var file = "board.sqlite"
  var host = "127.0.0.1"
  var port: UInt16 = 8022
  var names: [String] = []
  var wantsHelp = false

  init(_ arguments: some Sequence<String>) throws {
    var arguments = arguments.makeIterator()
    while let argument = arguments.next() {
      if argument == "--help" || argument == "-h" {
        wantsHelp = true
        continue
      }
      guard ["--file", "--host", "--port", "--name"].contains(argument) else {
        throw Mistake(message: "unknown argument: \(argument)")
      }
      guard let value = arguments.next(), !value.isEmpty else {
        throw Mistake(message: "\(argument) needs a value")
      }
      switch argument {
      case "--file": file = value
      case "--host": host = value
      case "--name": names.append(value)
      default:
        guard let number = UInt16(value) else {
          throw Mistake(message: "not a port: \(value)")
        }
        port = number
      }
    }
  }

  /// The names that the header `Host` may have.
  var allNames: [String] { names + ["127.0.0.1", "localhost", "::1", host] }
}
