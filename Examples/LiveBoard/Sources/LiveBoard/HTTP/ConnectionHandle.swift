import CMicroHTTPD

/// A connection of libmicrohttpd. Any thread may suspend and resume it.
struct ConnectionHandle: @unchecked Sendable {
  let pointer: OpaquePointer

  /// The port of the server.
  var port: UInt16 { UInt16(board_connection_port(pointer)) }

  /// The value of a header of the request.
  func header(_ name: String) -> String? {
    MHD_lookup_connection_value(pointer, .HEADER_KIND, name).map { String(cString: $0) }
  }
}

/// A server of libmicrohttpd. Any thread may stop it.
struct DaemonHandle: @unchecked Sendable {
  let pointer: OpaquePointer
}
