/// An example that does not compile:
///
///     let count: Int = "one"
public struct Broken {}
