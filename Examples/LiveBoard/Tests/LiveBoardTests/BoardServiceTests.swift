import Foundation
import Sharing
import Testing

@testable import LiveBoard

@Suite struct BoardServiceTests {
  private let database: BoardDatabase
  private let service: BoardService

  init() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite").path
    database = try BoardDatabase(path: file)
    service = try await BoardService(database)
  }

  private func post(_ path: String, _ body: String) async -> Int {
    await service.respond(
      to: HTTPRequest(method: "POST", path: path, port: 80, body: Array(body.utf8))
    ).status
  }

  private func board() async throws -> [BoardElement] {
    try await database.pool.read { db in try Board().fetch(db) }
  }

  @Test func `Ideas, votes and removals are stored and noted, with totals of the same moment`()
    async throws
  {
    #expect(await post("/items", "title=++a++bench+") == 204)
    #expect(await post("/items", "title=a+tree") == 204)
    #expect(await post("/items/2/votes", "by=1") == 204)
    var elements = try await board()
    #expect(elements.first == .totals(Totals(items: 2, votes: 1, unloved: 0)))
    #expect(elements[1] == .item(Item(id: 2, title: "a tree", votes: 1)))
    #expect(elements[2] == .item(Item(id: 1, title: "a bench", votes: 0)))
    #expect(await post("/items/1/votes", "by=-1") == 204)
    #expect(await post("/items/2/removal", "") == 204)
    elements = try await board()
    #expect(elements.first == .totals(Totals(items: 1, votes: -1, unloved: 1)))
    let kinds = elements.compactMap { element -> String? in
      if case .activity(let activity) = element { activity.kind } else { nil }
    }
    #expect(kinds == ["removed", "voted against", "voted for", "proposed", "proposed"])
  }

  @Test(arguments: [
    ("/items", "title=", 400), ("/items", "", 400), ("/items", "title=%01", 400),
    ("/items", "title=" + String(repeating: "x", count: 81), 400), ("/items/1/votes", "by=2", 400),
    ("/items/1/votes", "by=1", 404), ("/items/1/removal", "", 404), ("/items/x/votes", "by=1", 404),
    ("/items/1", "", 404), ("/", "", 404), ("/items", "title", 400),
  ])
  func `A write that makes no sense is refused`(path: String, body: String, status: Int)
    async throws
  {
    #expect(await post(path, body) == status)
    #expect(try await board().count == 1)
  }

  @Test func `The page, and nothing else of the disk, is served`() async {
    for (path, status) in [
      ("/", 200), ("/board.js", 200), ("/board.css", 200), ("/../Package.swift", 404),
      ("/index.html", 404), ("/etc/passwd", 404),
    ] {
      let request = HTTPRequest(method: "GET", path: path, port: 80)
      #expect(await service.respond(to: request).status == status)
    }
  }

  @Test func `A patch is a line of JSON`() async throws {
    let old: [BoardElement] = [1, 2, 3].map { .item(Item(id: $0, title: "\($0)", votes: 0)) }
    var new = [old[2], old[0], .activity(Activity(id: 1, time: "t", kind: "k", title: "\n\n"))]
    new[1] = .item(Item(id: 1, title: "</script>", votes: 0))
    let event = BoardEvent(ElementChanges(from: old, to: new, id: \.id, areEqual: ==))
    let text = String(decoding: event.bytes(named: "patch"), as: UTF8.self)
    #expect(event.removed == [1])
    #expect(event.moved.count == 1)
    #expect(event.inserted.map(\.index) == [2])
    #expect(event.updated.map(\.index) == [0])
    #expect(text.hasPrefix("event: patch\ndata: {"))
    #expect(text.hasSuffix("}\n\n"))
    #expect(text.split(separator: "\n").count == 2)
  }
}
