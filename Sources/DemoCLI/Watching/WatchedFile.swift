internal import CommandLineSupport
internal import Glibc
internal import Storage

/// The file to watch.
///
/// This type never opens the file, because closing it would release the locks that this process
/// holds on it. https://www.sqlite.org/howtocorrupt.html
struct WatchedFile: Equatable, Sendable {
  /// The path, as the user gave it.
  let path: String

  /// Whether the file is read as one that no process changes, without locks and without its WAL.
  var isImmutable = false
  /// Whether a missing file, and then a missing table, is waited for.
  var waits = false
  /// Whether observed results are kept from the first one on, so that a commit patches them.
  var keepsResults = false
  /// Whether the command can read the file as one that no process changes.
  private var canBeImmutable = false

  /// The options of the command line that ``init(_:command:)`` reads.
  static let syntax = ArgumentSyntax(flags: ["wait", "immutable"])

  init(path: String) {
    self.path = path
  }

  /// Reads the file from a command line.
  ///
  /// - Throws: ``UsageError`` when the command line names no file.
  init(_ arguments: ParsedArguments, command: String) throws {
    guard let path = arguments.positionals.first, !path.isEmpty else {
      throw UsageError("\(command) needs a FILE")
    }
    self.path = path
    canBeImmutable = true
    isImmutable = arguments.flags.contains("immutable")
    waits = arguments.flags.contains("wait")
  }

  /// The last part of the path.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Whether the file does not exist.
  var isMissing: Bool {
    var status = stat()
    return stat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
  }

  /// The identity that distinguishes the file from other files that had its path.
  struct Identity: Equatable {
    let device: UInt
    let number: UInt
  }

  /// The identity of the file; `nil` if it is missing.
  var identity: Identity? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Identity(device: status.st_dev, number: status.st_ino)
  }

  private var isDirectory: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The message for a missing file.
  var missingMessage: String { "no such file: \(path)" }

  /// Returns the message for an error that concerns the file.
  func message(for error: any Error) -> String {
    if isMissing { return missingMessage }
    if isDirectory { return "\(path) is a directory" }
    let message = ErrorMessage.text(for: error, file: path)
    return needsImmutable(error) ? "\(message); \(Self.immutableHint)" : message
  }

  private static let immutableHint =
    "its folder cannot be written: if no process changes the file, --immutable reads it"

  /// Whether SQLite cannot make the files of shared memory beside the file.
  private func needsImmutable(_ error: any Error) -> Bool {
    guard let error = error as? DatabaseError, canBeImmutable, !isImmutable else { return false }
    let codes: [ResultCode] = [.SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_IOERR]
    guard codes.contains(error.resultCode) else { return false }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let folder = parts.isEmpty ? "." : parts.joined(separator: "/") + "/"
    return access(path, R_OK) == 0 && access(folder, W_OK) != 0
  }

  /// Warns of commits that are in the WAL only, which an immutable file is read without.
  private func warnOfLog() {
    var status = stat()
    // A WAL without frames is a header at most.
    guard isImmutable, stat(path + "-wal", &status) == 0, status.st_size > 32 else { return }
    Tool.complain("warning: \(path)-wal holds commits that --immutable does not read")
  }

  /// Opens the file for reading only. A lock of another process is waited for.
  ///
  /// - Throws: ``ToolError`` when that is not possible.
  func open() throws -> DatabasePool {
    let pool = try openWithoutWarning()
    warnOfLog()
    return pool
  }

  private func openWithoutWarning() throws -> DatabasePool {
    guard !isMissing else { throw ToolError(missingMessage) }
    // Files may come from other people. Ctrl-C ends a query that takes too long.
    var configuration = Configuration.untrusted
    configuration.statementTimeout = nil
    if keepsResults { configuration.patchingThreshold = 0 }
    configuration.busyMode = .callback { [path] in LockWaiting.shared.wait(for: path, tries: $0) }
    let location: DatabaseLocation =
      isImmutable ? .uri(path, parameters: [.immutable(true), .mode(.readOnly)]) : .file(path)
    do {
      return try DatabasePool(location, configuration: configuration)
    } catch {
      throw ToolError(message(for: error))
    }
  }

  /// Opens the file. If ``waits`` is set, it first waits until the file exists and has the tables
  /// of some queries.
  ///
  /// - Parameters:
  ///   - queries: The queries.
  ///   - report: Called with a message that names the awaited file or table.
  ///   - pause: Waits for a moment, and returns whether to continue.
  /// - Returns: The open file; `nil` when the waiting was ended.
  /// - Throws: ``ToolError`` when the file cannot be opened.
  func open(
    for queries: [WatchedQuery],
    report: (String) -> Void = Tool.complain,
    pause: () throws -> Bool = Self.pause
  ) throws -> DatabasePool? {
    guard waits else { return try open() }
    var reported = ""
    func wait(for thing: String) throws -> Bool {
      if reported != thing { report("waiting for \(thing)") }
      reported = thing
      return try pause()
    }
    while true {
      while isMissing { guard try wait(for: path) else { return nil } }
      do {
        let pool = try openWithoutWarning()
        let missing = try pool.read { db in
          try queries.lazy.compactMap { try $0.missingTable(db) }.first
        }
        guard let missing else {
          warnOfLog()
          return pool
        }
        try? pool.close()
        guard try wait(for: "the table \(missing) in \(path)") else { return nil }
      } catch {
        // The file may have gone again.
        guard isMissing else { throw ToolError(message(for: error)) }
      }
    }
  }

  private static func pause() -> Bool {
    usleep(100_000)
    return true
  }

  /// Reads one state of the file, which has the tables of some queries if they are waited for.
  ///
  /// - Throws: ``ToolError``, or the error of the output.
  func read<Value>(
    for queries: [WatchedQuery] = [],
    _ body: (Database) throws -> Value
  ) throws -> Value {
    let pool = try open(for: queries) ?? open()
    do {
      return try pool.read(body)
    } catch let error as Output.Failure {
      throw error
    } catch {
      throw ToolError(message(for: error))
    }
  }
}
