internal import CommandLineSupport
internal import Foundation
internal import Replication

/// The options of the command line.
struct ReplicasOptions {
  enum Format: String, NamedOption {
    case table, json
  }

  static let syntax = ArgumentSyntax(
    flags: ["primary", "version"],
    options: [
      "log", "prefix", "user", "ca", "cert", "key", "snapshots", "format", "node", "min-nodes",
      "max-lag", "max-age", "max-size", "timeout",
    ]
  )

  let endpoints: [String]
  let database: String
  let prefix: String
  let user: String?
  let security: EtcdSecurity?
  let snapshots: String?
  let format: Format
  let node: String?
  let mustBePrimary: Bool
  let leastNodes: Int
  let longestLag: Int64?
  /// In milliseconds.
  let longestAge: Int64
  /// In bytes.
  let largestLog: Int64?
  /// In seconds.
  let timeout: Int

  /// Reads the arguments.
  ///
  /// - Throws: `UsageError`.
  init(
    _ arguments: ParsedArguments,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    guard let database = arguments.positionals.first else {
      throw UsageError("the name of the database is missing")
    }
    guard arguments.positionals.count == 1 else {
      throw UsageError("unexpected argument \(arguments.positionals[1])")
    }
    self.database = database
    let values = arguments.values
    guard let log = values["log"] ?? environment["WELLSPRING_LOG"] else {
      throw UsageError("--log is missing: the addresses of etcd's members")
    }
    endpoints = log.split { $0 == "," || $0 == " " }.map(String.init)
    prefix = values["prefix"] ?? "/wellspring"
    user = values["user"]
    let files = (values["ca"], values["cert"], values["key"])
    let hasFiles = files.0 != nil || files.1 != nil || files.2 != nil
    if (files.1 == nil) != (files.2 == nil) {
      throw UsageError("--cert and --key are only of use together")
    }
    security =
      hasFiles || endpoints.contains { $0.hasPrefix("https:") }
      ? EtcdSecurity(authorityFile: files.0, certificateFile: files.1, keyFile: files.2) : nil
    snapshots = values["snapshots"]
    format = try values["format"].map { try Format.named($0) } ?? .table
    node = values["node"]
    mustBePrimary = arguments.flags.contains("primary")
    if mustBePrimary, node == nil { throw UsageError("--primary needs --node") }
    func number(_ name: String, from least: Int64 = 0) throws -> Int64? {
      guard let text = values[name] else { return nil }
      guard let number = Int64(text), number >= least, number < 1_000_000_000_000 else {
        let range = least > 0 ? " from \(least) on" : ""
        throw UsageError("--\(name) needs a whole number\(range), not \(text)")
      }
      return number
    }
    leastNodes = Int(try number("min-nodes", from: 1) ?? 1)
    longestLag = try number("max-lag")
    longestAge = (try number("max-age") ?? 30) * 1000
    largestLog = try number("max-size").map { min($0, 1_000_000_000) * 1_000_000 }
    timeout = Int(min(try number("timeout", from: 1) ?? 10, 1_000_000))
  }

  /// Opens the log.
  ///
  /// - Throws: `UsageError` for a malformed address or name, `ToolError`.
  func openLog(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> EtcdLog {
    var credentials: EtcdCredentials?
    if let user {
      guard let password = environment["WELLSPRING_LOG_PASSWORD"] else {
        throw UsageError("--user needs the password in WELLSPRING_LOG_PASSWORD")
      }
      credentials = EtcdCredentials(user: user, password: password)
    }
    do throws(ReplicationLogError) {
      return try EtcdLog(
        endpoints: endpoints,
        prefix: prefix,
        database: database,
        credentials: credentials,
        security: security
      )
    } catch .unexpected(let reason) {
      throw UsageError(reason.hasSuffix(".") ? String(reason.dropLast()) : reason)
    } catch {
      throw ToolError("\(error)")
    }
  }
}
