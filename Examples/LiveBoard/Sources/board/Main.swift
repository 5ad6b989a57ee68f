import Dispatch
import Foundation
import LiveBoard

/// Serves the board until it receives SIGINT or SIGTERM.
@main struct Main {
  static func main() async {
    do {
      let options = try Options(CommandLine.arguments.dropFirst())
      if options.wantsHelp { return print(Options.usage) }
      try await serve(options)
    } catch let mistake as Options.Mistake {
      fail("\(mistake.message)\n\(Options.usage)", code: 2)
    } catch {
      fail("\(error)", code: 1)
    }
  }

  private static func serve(_ options: Options) async throws {
    let (stops, continuation) = AsyncStream.makeStream(of: Void.self)
    let sources = [SIGINT, SIGTERM].map { number in on(number) { continuation.yield() } }
    allowManyConnections()
    let database = try BoardDatabase(path: options.file)
    let service = try await BoardService(database)
    let requestGuard = RequestGuard(names: options.allNames)
    let server = HTTPServer { request in
      if let refusal = requestGuard.refusal(of: request) { return .text(403, refusal) }
      return await service.respond(to: request)
    }
    let port = try server.listen(host: options.host, port: options.port)
    let host = options.host.contains(":") ? "[\(options.host)]" : options.host
    let address = "http://\(host):\(port)/"
    print("The board is at \(address) and its data in \(options.file). Ctrl-C ends it.")
    fflush(nil)
    for await _ in stops { break }
    for source in sources { source.cancel() }
    await server.stop()
    try await database.pool.shutDown(within: .seconds(5))
  }

  /// Calls a closure when a signal arrives, instead of ending the process.
  private static func on(
    _ number: Int32,
    _ body: @escaping @Sendable () -> Void
  ) -> any DispatchSourceSignal {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number)
    source.setEventHandler(handler: body)
    source.resume()
    return source
  }

  /// Lets the process have as many files open as the system lets it: each browser is one.
  private static func allowManyConnections() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  private static func fail(_ message: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data("board: \(message)\n".utf8))
    exit(code)
  }
}
