import Foundation
import Sharing

/// The board as a web service.
public struct BoardService: Sendable {
  private let database: BoardDatabase
  private let feed: BoardFeed
  private let files: PageFiles

  /// Opens the database, and fetches the board.
  ///
  /// - Throws: `DatabaseError`, or an error of the file system.
  public init(_ database: BoardDatabase) async throws {
    self.database = database
    feed = try await BoardFeed(database.pool)
    files = try PageFiles()
  }

  /// Answers a request that the guard lets pass.
  public func respond(to request: HTTPRequest) async -> HTTPResponse {
    switch (request.method, request.path) {
    case ("GET", "/events"):
      return .events(feed.makeStream())
    case ("GET", _), ("HEAD", _):
      return files.response(for: request.path) ?? .text(404, "There is no such page.")
    case ("POST", _):
      return await write(request)
    default:
      return .text(405, "This is not done here.")
    }
  }

  private func write(_ request: HTTPRequest) async -> HTTPResponse {
    guard let fields = FormFields(request.body) else { return .text(400, "This is not a form.") }
    let path = request.components
    do {
      switch (path.first, path.dropFirst().first.flatMap { Int64($0) }, path.dropFirst(2).first) {
      case ("items", nil, nil) where path.count == 1:
        try await database.add(title: fields["title"] ?? "")
      case ("items", let id?, "votes") where path.count == 3:
        try await database.vote(by: fields["by"].flatMap { Int($0) } ?? 0, for: id)
      case ("items", let id?, "removal") where path.count == 3:
        try await database.remove(id)
      default:
        return .text(404, "There is nothing to write to.")
      }
      return .done
    } catch let refusal as BoardDatabase.Refusal {
      return .text(refusal.status, refusal.message)
    } catch {
      // What is wrong with the database is for its operator, not for the page.
      FileHandle.standardError.write(Data("board: \(error)\n".utf8))
      return .text(500, "The board could not be written to.")
    }
  }
}
