internal import Glibc

/// The standard error of the process.
package enum StandardError {
  /// Writes text with one system call, so that the texts of several threads do not mix.
  ///
  /// A text that cannot be written is lost: there is no other place for it.
  package static func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
  }
}
