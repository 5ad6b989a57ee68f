import Foundation

/// The sanitizers that the tests are built with.
enum Sanitizer {
  /// Whether a sanitizer is active. It allocates memory itself, so memory figures mean nothing.
  static let isActive = ["__tsan_init", "__asan_init"].contains { (name: String) in
    dlsym(nil, name) != nil
  }
}
