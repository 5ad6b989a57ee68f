/// A POST request, and how its connection is secured.
struct HTTPRequest {
  var url: String
  var body: [UInt8]
  var authorization: String?
  var security: EtcdSecurity?
  var connectTimeout: Duration
}

/// The answer to a request.
struct HTTPAnswer {
  var status: Int
  /// The result of a call by gRPC, which comes after the body: 0 is success.
  var grpcStatus: Int?
  var body: [UInt8]
}

/// Why no answer came.
enum HTTPFailure: Error {
  case closed
  /// The request did not leave this machine.
  case notSent(String)
  /// The request may have arrived.
  case broken(String)
  /// As `broken`: the server keeps the connection, and no byte has moved for too long.
  case silent(String)
  /// One side refused the other's certificate.
  case refused(String)
}
