import Foundation
import FoundationNetworking
import Replication

/// Posts to the other nodes.
enum HTTPClient {
  struct BadStatus: Error {
    let status: Int?
  }

  /// Posts bytes, and returns the body of the answer.
  ///
  /// - Throws: `ForwardingError.notWritten` if no server has accepted the connection,
  ///   ``BadStatus``, or an error of `URLSession`.
  static func post(_ bytes: [UInt8], to url: String) async throws -> [UInt8] {
    guard let url = URL(string: url) else { throw ForwardingError.notWritten("no URL: \(url)") }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.timeoutInterval = 5
    do {
      let (body, response) = try await URLSession.shared.upload(for: request, from: Data(bytes))
      let status = (response as? HTTPURLResponse)?.statusCode
      guard status == 200 else { throw BadStatus(status: status) }
      return Array(body)
    } catch let error as URLError where error.code == .cannotConnectToHost {
      throw ForwardingError.notWritten("nothing listens at \(url)")
    }
  }
}
