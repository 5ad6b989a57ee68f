internal import CWellspringSQLite

/// An option with which SQLite was compiled, or was not. Debian uses all of them.
///
/// The library runs with any option missing. A feature that needs a missing option fails with an
/// error that names it.
///
/// https://www.sqlite.org/compile.html
package enum CompileOption: String, CaseIterable {
  case fts3 = "ENABLE_FTS3"
  case fts4 = "ENABLE_FTS4"
  case fts5 = "ENABLE_FTS5"
  case mathFunctions = "ENABLE_MATH_FUNCTIONS"
  case preupdateHook = "ENABLE_PREUPDATE_HOOK"
  case rtree = "ENABLE_RTREE"
  case session = "ENABLE_SESSION"
  case soundex = "SOUNDEX"
  case updateDeleteLimit = "ENABLE_UPDATE_DELETE_LIMIT"

  /// The options of the SQLite that this process has loaded.
  static let present = Set(allCases.filter(\.isCompiled))

  /// Options that count as missing in a task, for tests.
  @TaskLocal static var simulatedMissing: Set<CompileOption> = []

  /// Whether SQLite was compiled with this option.
  var isPresent: Bool {
    Self.present.contains(self) && !Self.simulatedMissing.contains(self)
  }

  private var isCompiled: Bool {
    // Without these two, functions are missing that the process would jump to.
    switch self {
    case .preupdateHook where wellspring_has_preupdate_hook() == 0: false
    case .session where wellspring_has_sessions() == 0: false
    default: sqlite3_compileoption_used(rawValue) != 0
    }
  }

  /// Checks that SQLite was compiled with this option.
  ///
  /// - Parameter use: The features that need the option, in the plural.
  /// - Throws: ``DatabaseError`` that names the option.
  package func require(for use: String) throws {
    guard !isPresent else { return }
    throw missing(for: use)
  }

  /// The error of something that needs the option.
  func missing(for use: String) -> DatabaseError {
    DatabaseError(message: "SQLite was compiled without SQLITE_\(rawValue), which \(use) need")
  }

  /// The text of an error about the missing option.
  var absence: String { "SQLite was compiled without SQLITE_\(rawValue)" }
}
