import Foundation

/// What the tests are built with.
enum Sanitizer {
  /// Whether a sanitizer keeps memory of its own, so that what a process holds means nothing.
  static let isActive = ["__tsan_init", "__asan_init"].contains { (name: String) in
    dlsym(nil, name) != nil
  }
}
