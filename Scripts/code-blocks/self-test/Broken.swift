/// An example that does not compile:
///
///     let count: Int = "one"
///
/// Another, with a fence:
///
/// ```swift
/// let text: String = 1
/// ```
///
/// One that is said not to compile, and does:
///
///     let number: Int = 1  // does not compile
///     let bytes: [UInt8] = 1  // does not compile
///
/// Text is not compiled:
///
/// ```text
///     let flag: Bool = 1
/// ```
public struct Broken {}
