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
