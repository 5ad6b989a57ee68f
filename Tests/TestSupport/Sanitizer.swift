internal import Foundation

/// The sanitizer that the tests were built with.
package enum Sanitizer {
  /// Whether a sanitizer is active. It allocates memory itself, so the memory use of the process is
  /// then meaningless.
  package static let isActive = ["__tsan_init", "__asan_init"].contains { (name: String) in
    dlsym(nil, name) != nil
  }
}
