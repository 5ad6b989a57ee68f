import Dispatch
import Foundation
import Replication
import ReplicatedShop

/// Runs three nodes of a shop, or one.
@main struct Main {
  static func main() async {
    do {
      switch try Options(CommandLine.arguments.dropFirst()) {
      case .help: print(Options.usage)
      case .node(let options): try await run(options)
      case .cluster(let options): try await run(options)
      }
    } catch let mistake as Options.Mistake {
      fail("\(mistake.message)\n\(Options.usage)", code: 2)
    } catch {
      fail("\(error)", code: 1)
    }
  }

  private static func run(_ options: Options.ClusterOptions) async throws {
    let cluster = try Cluster(options)
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    let sources = [SIGINT, SIGTERM, SIGHUP].map { on($0) { continuation.yield() } }
    let running = Task { try await cluster.run() }
    let timer = Task {
      guard let seconds = options.seconds else { return }
      try await Task.sleep(for: .seconds(seconds))
      continuation.yield()
    }
    let failure = Task {
      // A cluster that fails ends the program as well.
      _ = await running.result
      continuation.yield()
    }
    for await _ in ends { break }
    timer.cancel()
    cluster.stop()
    do {
      try await running.value
      say(try await cluster.end())
    } catch {
      await cluster.kill()
      throw error
    }
    await failure.value
    for source in sources { source.cancel() }
  }

  private static func run(_ options: Options.NodeOptions) async throws {
    let node = try await ShopNode(
      name: options.name,
      path: options.file,
      log: EtcdLog(endpoints: options.endpoints, database: "shop"),
      snapshots: options.snapshots.isEmpty ? nil : .directory(options.snapshots),
      port: options.port
    ) { report in
      say(options.isSupervised ? NodeProcess.encode(report) : report.line)
    }
    let running = Task { try await node.run() }
    let sources = [SIGINT, SIGTERM].map { on($0) { running.cancel() } }
    if options.isSupervised {
      // An end of the standard input is the end of the supervisor.
      Thread.detachNewThread {
        while readLine() != nil { node.rest() }
        running.cancel()
      }
    }
    try await running.value
    for source in sources { source.cancel() }
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

  /// Writes a line at once.
  static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

  private static func fail(_ message: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data("shop: \(message)\n".utf8))
    exit(code)
  }
}
