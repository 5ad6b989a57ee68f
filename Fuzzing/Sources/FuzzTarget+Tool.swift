import CommandLineSupport
import Foundation
import Storage

@testable import FuzzedTool

extension FuzzTarget {
  /// A database in memory, which `--sql` and tables of the command line are read from.
  private static let shop: DatabaseQueue = {
    do {
      let queue = try DatabaseQueue()
      try queue.write { db in
        try db.execute(
          sql: """
            CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, price REAL);
            INSERT INTO item VALUES (1, 'cup', 4), (2, 'pot', NULL), (3, x'00ff1b', '\u{1B}[2J');
            CREATE TABLE many (id INTEGER PRIMARY KEY, name TEXT);
            WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n LIMIT 2100)
            INSERT INTO many SELECT id, 'row ' || id FROM n;
            CREATE TABLE "-odd "" name" (a, "b ""c", PRIMARY KEY (a)) WITHOUT ROWID;
            """
        )
      }
      return queue
    } catch {
      fatalError("\(error)")
    }
  }()

  /// Whether a text is safe to send to a terminal.
  private static func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }

  // MARK: Arguments

  /// The arguments of the tool, separated by line breaks. Wrong arguments are errors of the tool.
  /// Their messages are safe to show. Right arguments read the database, and never write it.
  static let arguments = FuzzTarget(name: "arguments") { data in
    let words = String(decoding: data, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let name = words.first,
      let command = Tool.commands.first(where: { $0.name == name })
    else { return }
    do {
      let parsed = try ParsedArguments(Array(words.dropFirst()), syntax: command.syntax)
      _ = try command.init(parsed)
      guard ["watch", "query", "exec", "explain"].contains(name) else { return }
      for query in try queries(of: parsed, command: name) { read(query) }
    } catch let error as UsageError {
      precondition(isPlain(DisplayText.escaped(error.message)), error.message)
    } catch {
      preconditionFailure("not an error of the tool: \(error)")
    }
  }

  private static func queries(
    of parsed: ParsedArguments,
    command: String
  ) throws -> [WatchedQuery] {
    let rest = parsed.positionals.dropFirst()
    return switch command {
    case "watch": try WatchedQuery.several(tables: rest, parsed)
    case "query": [try WatchedQuery(table: rest.first, parsed, command: command)]
    default: [try WatchedQuery(text: rest.first, parsed, command: command)]
    }
  }

  private static func read(_ query: WatchedQuery) {
    precondition(isPlain(DisplayText.escaped(query.title)))
    memory.attempt { db in
      let before = try Row.fetchAll(db, sql: "SELECT * FROM item")
      do {
        let result = try query.fetch(db)
        precondition(result.rows.allSatisfy { $0.count == result.columns.count })
      } catch {
        precondition(isPlain(DisplayText.escaped(ErrorMessage.text(for: error, file: "file"))))
      }
      // SQL that was stopped by the time limit leaves no transaction to read in.
      guard let after = try? Row.fetchAll(db, sql: "SELECT * FROM item") else { return }
      precondition(before == after, query.title)
    }
  }

  // MARK: Keys

  /// The input from a terminal: the number of panes, the size of the window, and keys. Each picture
  /// fits its window, and has no control characters.
  static let keys = FuzzTarget(name: "keys") { data in
    guard data.count > 3 else { return }
    let panes: [Pane] = [
      Pane(query: .table("item"), titles: ["item"]), Pane(query: .table("many"), titles: ["many"]),
      Pane(query: .sql("SELECT name FROM item"), titles: ["SELECT name FROM item", "SELECT"]),
    ]
    let bytes = [UInt8](data)
    var screen = Screen(panes: Array(panes.prefix(1 + Int(bytes[0]) % 3)))
    // In a narrower window, borders take more than there is.
    let window = WindowSize(columns: 20 + Int(bytes[1]), rows: 4 + Int(bytes[2]) % 60)
    for index in screen.panes.indices { fetch(index, &screen) }
    draw(&screen, in: window)
    for key in Key.keys(of: bytes[3...]) {
      switch screen.handle(key) {
      case .end: return
      case .fetch: fetch(screen.focus, &screen)
      case .nothing, .draw, .search: break
      }
      draw(&screen, in: window)
    }
  }

  private static func fetch(_ index: Int, _ screen: inout Screen) {
    var pane = screen.panes[index]
    do {
      let contents = try shop.read { db in
        try pane.fetch.fetch(db, at: nil, view: pane.view, height: pane.height)
      }
      pane.show(contents, isSameView: false, time: "12:00:00")
    } catch {
      preconditionFailure("a key made a query that fails: \(error)")
    }
    screen.panes[index] = pane
  }

  private static func draw(_ screen: inout Screen, in window: WindowSize) {
    let lines = screen.lines(in: window)
    precondition(lines.count <= max(1, window.rows - 1), "\(lines.count) of \(window.rows) lines")
    for line in lines {
      precondition(line.width <= window.columns, "\(line.width) of \(window.columns) columns")
      precondition(isPlain(line.text))
    }
  }
}
