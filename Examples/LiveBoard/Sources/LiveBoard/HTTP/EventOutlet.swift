import CMicroHTTPD

/// The end of an event stream at its connection.
final class EventOutlet: Sendable {
  private let stream: EventStream
  private let connection: ConnectionHandle
  private let onClose: @Sendable () -> Void

  init(
    _ stream: EventStream,
    _ connection: ConnectionHandle,
    onClose: @escaping @Sendable () -> Void
  ) {
    self.stream = stream
    self.connection = connection
    self.onClose = onClose
  }

  /// Is called on the thread of the server when the socket takes bytes.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let connection = connection
    let chunk = stream.read(
      into: buffer,
      suspend: { MHD_suspend_connection(connection.pointer) },
      resume: { MHD_resume_connection(connection.pointer) }
    )
    return switch chunk {
    case .bytes(let count): count
    case .nothing: 0
    case .end: board_end_of_stream
    }
  }

  func close() {
    stream.close()
    onClose()
  }
}
