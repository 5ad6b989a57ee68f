#if FUZZING
  internal import Foundation
  internal import Storage

  /// The fuzzer compiles the tool in another package, which has no access to that of `Storage`.
  extension Row {
    /// Returns a name or a statement from the schema, in which U+FFFD replaces bytes that are not
    /// UTF-8.
    func schemaText(_ column: String) -> String? {
      switch (self[column] as DatabaseValue).storage {
      case .string(let text): text
      case .blob(let data): String(decoding: data, as: UTF8.self)
      case .null, .int64, .double: nil
      }
    }
  }
#endif
