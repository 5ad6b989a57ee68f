internal import Glibc

/// A file descriptor to which texts are written as a whole.
struct Output {
  /// Why a text could not be written.
  enum Failure: Error, Equatable, CustomStringConvertible {
    /// Nobody reads any more: a closed pipe, or a terminal that is gone.
    case closed
    /// The system refused, with this `errno`.
    case refused(Int32)

    var description: String {
      switch self {
      case .closed: "nobody reads the output"
      case .refused(let code): "cannot write the output: \(String(cString: strerror(code)))"
      }
    }
  }

  static let standardOutput = Output(descriptor: STDOUT_FILENO)
  static let standardError = Output(descriptor: STDERR_FILENO)

  let descriptor: Int32

  /// Sees to it that no file that is opened later takes the place of a standard descriptor that this
  /// process has been started without: what is written there would end up in that file.
  static func occupyStandardDescriptors() {
    var descriptor: Int32
    repeat {
      descriptor = open("/dev/null", O_RDONLY)
    } while descriptor >= 0 && descriptor <= STDERR_FILENO
    if descriptor >= 0 { close(descriptor) }
  }

  /// Writes the whole text, with one call of the system if that takes it all. Nothing stays in a
  /// buffer of this process.
  ///
  /// - Throws: ``Failure``. A part of the text may have been written.
  func write(_ text: String) throws(Failure) {
    try write(Array(text.utf8))
  }

  /// Writes all of the bytes, in the same way.
  func write(_ bytes: [UInt8]) throws(Failure) {
    var offset = 0
    while offset < bytes.count {
      let (count, code) = bytes.withUnsafeBytes { buffer in
        let count = Glibc.write(descriptor, buffer.baseAddress! + offset, buffer.count - offset)
        return (count, errno)
      }
      if count >= 0 {
        offset += count
      } else {
        try recover(from: code)
      }
    }
  }

  /// Returns when writing may be tried again.
  private func recover(from code: Int32) throws(Failure) {
    switch code {
    case EINTR:
      return
    case EAGAIN:
      // The descriptor is shared with a process that has made it non-blocking.
      var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&output, 1, -1)
    case EPIPE, ECONNRESET:
      throw .closed
    case EIO where hasHungUp:
      throw .closed
    default:
      throw .refused(code)
    }
  }

  /// Whether the descriptor is a terminal that is gone.
  private var hasHungUp: Bool {
    var output = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&output, 1, 0) > 0 && output.revents & Int16(POLLHUP) != 0
  }

  /// Waits, for ever if need be, until nobody reads any more.
  func waitUntilClosed() {
    let gone = Int16(POLLERR | POLLHUP | POLLNVAL)
    var output = pollfd(fd: descriptor, events: 0, revents: 0)
    while output.revents & gone == 0 {
      guard poll(&output, 1, -1) >= 0 || errno == EINTR else { return }
    }
  }
}
