internal import CWellspringSQLite

/// A token of a text, and its position.
public struct FTS5Token: Hashable, Sendable {
  /// The token as stored in the index.
  public var text: String

  /// The position in the text, in bytes of UTF-8.
  public var range: Range<Int>

  /// Further properties of the token.
  public var flags: FTS5TokenFlags

  /// Creates a token.
  public init(_ text: String, at range: Range<Int>, flags: FTS5TokenFlags = []) {
    self.text = text
    self.range = range
    self.flags = flags
  }
}

/// Properties of a token.
public struct FTS5TokenFlags: OptionSet, Hashable, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public let rawValue: Int32

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The token is a synonym: it has the position of the token before.
  public static let colocated = FTS5TokenFlags(rawValue: FTS5_TOKEN_COLOCATED)
}

/// A C function of SQLite that receives the tokens of a text.
///
/// Its arguments are the context, the flags, the token in UTF-8 with its length, and the beginning
/// and the end of the token in the text, in bytes. A result other than 0 ends the tokenization.
public typealias FTS5TokenCallback =
  @convention(c) (
    _ context: UnsafeMutableRawPointer?,
    _ flags: CInt,
    _ pToken: UnsafePointer<CChar>?,
    _ nToken: CInt,
    _ iStart: CInt,
    _ iEnd: CInt
  ) -> CInt

/// The purpose of a tokenization.
public struct FTS5Tokenization: OptionSet, Hashable, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public let rawValue: Int32

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// A search pattern is parsed.
  public static let query = FTS5Tokenization(rawValue: FTS5_TOKENIZE_QUERY)
  /// The last token of the text is a prefix. This comes with ``query``.
  public static let prefix = FTS5Tokenization(rawValue: FTS5_TOKENIZE_PREFIX)
  /// A row is added to the index or removed from it.
  public static let document = FTS5Tokenization(rawValue: FTS5_TOKENIZE_DOCUMENT)
  /// An auxiliary function such as `highlight` reads a text.
  public static let aux = FTS5Tokenization(rawValue: FTS5_TOKENIZE_AUX)
}

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
