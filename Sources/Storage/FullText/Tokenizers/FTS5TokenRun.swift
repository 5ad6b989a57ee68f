internal import CWellspringSQLite

/// One tokenization whose tokens a closure receives: the context of its callback.
final class FTS5TokenRun {
  /// The callback has ended the tokenization with a result code.
  struct Stop: Error { let code: Int32 }

  private let tokenizer: any FTS5Tokenizer
  private let found: (FTS5Token) throws -> Void
  /// The error of the closure, which has ended the tokenization.
  private(set) var error: (any Error)?

  init(_ tokenizer: any FTS5Tokenizer, _ found: @escaping (FTS5Token) throws -> Void) {
    self.tokenizer = tokenizer
    self.found = found
  }

  /// Passes a token to the closure of the run that is the context.
  static let callback: FTS5TokenCallback = { context, flags, word, count, start, end in
    let run = Unmanaged<FTS5TokenRun>.fromOpaque(context!).takeUnretainedValue()
    let bytes = UnsafeRawBufferPointer(start: word, count: word == nil ? 0 : Int(count))
    let token = FTS5Token(
      String(decoding: bytes, as: UTF8.self),
      at: Int(start)..<max(Int(start), Int(end)),
      flags: FTS5TokenFlags(rawValue: flags)
    )
    do {
      try run.found(token)
      return SQLITE_OK
    } catch let stop as Stop {
      run.error = stop
      return stop.code
    } catch {
      run.error = error
      return SQLITE_ERROR
    }
  }

  /// Returns the tokenizer that began the run, when this is the callback of a run.
  static func tokenizer(
    of callback: @escaping FTS5TokenCallback,
    _ context: UnsafeMutableRawPointer?
  ) -> (any FTS5Tokenizer)? {
    let address = unsafeBitCast(callback, to: UnsafeRawPointer.self)
    guard let context, address == unsafeBitCast(Self.callback, to: UnsafeRawPointer.self) else {
      return nil
    }
    return Unmanaged<FTS5TokenRun>.fromOpaque(context).takeUnretainedValue().tokenizer
  }
}
