internal import CWellspringSQLite

/// Creates a connection's instances of a tokenizer in Swift, on behalf of SQLite.
final class FTS5TokenizerFactory {
  // Cannot dangle: the connection owns SQLite's list of tokenizers, which owns this object.
  private unowned(unsafe) let database: Database
  private let makeTokenizer: (Database, [String]) throws -> any FTS5Tokenizer

  init(
    _ database: Database,
    _ makeTokenizer: @escaping (Database, [String]) throws -> any FTS5Tokenizer
  ) {
    self.database = database
    self.makeTokenizer = makeTokenizer
  }

  func make(
    _ arguments: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
    _ count: Int,
    _ result: UnsafeMutablePointer<OpaquePointer?>
  ) -> Int32 {
    let arguments = (0..<count).compactMap { arguments?[$0].map { String(cString: $0) } }
    do {
      let tokenizer = try makeTokenizer(database, arguments)
      let box = Unmanaged.passRetained(FTS5TokenizerBox(tokenizer))
      result.pointee = OpaquePointer(box.toOpaque())
      return SQLITE_OK
    } catch {
      result.pointee = nil
      return (error as? DatabaseError)?.extendedResultCode.rawValue ?? SQLITE_ERROR
    }
  }
}
