internal import CWellspringSQLite

extension Authorizer {
  /// What the statements of a connection may do.
  enum Restriction {
    /// Everything.
    case none
    /// Everything except the use of other files.
    case ownFile
    /// Only reads.
    case reading

    /// Returns why an action is refused, or `nil` when it is allowed. An empty string stands for a
    /// write to a file that may only be read.
    func refusal(
      action: Int32,
      _ first: UnsafePointer<CChar>?,
      _ second: UnsafePointer<CChar>?
    ) -> String? {
      switch action {
      case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE, SQLITE_TRANSACTION, SQLITE_SAVEPOINT:
        return nil
      case SQLITE_FUNCTION:
        let name = name(second)
        // Both load code that SQL text names.
        guard name == "load_extension" || name == "fts3_tokenizer" else { return nil }
        return "the file is not trusted: \(name) may not be called"
      case SQLITE_ATTACH, SQLITE_DETACH:
        return "the file is not trusted: no database may be attached or detached"
      case _ where self != .reading:
        return nil
      case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
        // A virtual table compiles such statements when it is connected. SQLite has opened the file
        // for reading only, so that none of them can run.
        return nil
      case SQLITE_PRAGMA:
        let pragma = name(first)
        guard second != nil, !Authorizer.checkPragmas.contains(pragma),
          !Authorizer.schemaPragmas.contains(pragma)
        else { return nil }
        return "the file is not trusted: PRAGMA \(pragma) may not be set"
      default:
        return ""
      }
    }

    private func name(_ pointer: UnsafePointer<CChar>?) -> String {
      pointer.map { String(cString: $0).asciiLowercased } ?? ""
    }
  }
}
