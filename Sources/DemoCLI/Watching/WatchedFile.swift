internal import Glibc
internal import Storage

/// The file to watch.
///
/// This type never opens the file, because closing it would release the locks that this process
/// holds on it. https://www.sqlite.org/howtocorrupt.html
struct WatchedFile: Equatable, Sendable {
  /// The path, as the user gave it.
  let path: String

  /// The last part of the path.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Whether the file does not exist.
  var isMissing: Bool {
    var status = stat()
    return stat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
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
    return ErrorMessage.text(for: error, file: path)
  }

  /// Opens the file for reading only.
  ///
  /// - Throws: ``ToolError`` when that is not possible.
  func open() throws -> DatabasePool {
    guard !isMissing else { throw ToolError(missingMessage) }
    // Files may come from others. Ctrl-C ends a query that takes too long.
    var configuration = Configuration.untrusted
    configuration.statementTimeout = nil
    do {
      return try DatabasePool(path: path, configuration: configuration)
    } catch {
      throw ToolError(message(for: error))
    }
  }

  /// Reads one state of the file.
  ///
  /// - Throws: ``ToolError``, or the error of the output.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    let pool = try open()
    do {
      return try pool.read(body)
    } catch let error as Output.Failure {
      throw error
    } catch {
      throw ToolError(message(for: error))
    }
  }
}
