/// The pages of a table with row ids, or of one without them: which are its leaves, and which lead
/// to these.
///
/// The leaves are never read. SQLite keeps a tree balanced: all of its leaves are equally far from
/// the root, so that the left edge tells how far.
struct PageTree: Sendable {
  typealias Number = DatabasePage.Number

  /// SQLite does not follow more levels either.
  private static let maximumHeight = 20
  /// With more interior pages, a tree is not worth reading. A table of 20 GB with small rows has
  /// that many.
  private static let maximumInteriorPages = 10_000

  let root: Number
  /// How many pages lead from the root to a leaf; 0 if the root is the only leaf.
  private var height = 0
  /// The pages below each interior page.
  private var children: [Number: [Number]] = [:]
  /// The leaves.
  private(set) var leaves: Set<Number>

  /// Reads the tree.
  ///
  /// - Parameters:
  ///   - root: The page at its root.
  ///   - read: Reads a page.
  /// - Throws: The error of `read`, or ``PageObstacle/damaged``.
  init(
    root: Number,
    read: (Number) throws(PageObstacle) -> DatabasePage
  ) throws(PageObstacle) {
    self.root = root
    leaves = [root]
    _ = try update(changed: [root], read: read)
  }

  /// How many bytes the tree takes: of a table's hash table, three quarters are used at most.
  var memory: Int {
    let size = MemoryLayout<Number>.size
    return children.values.reduce(leaves.capacity * size * 4 / 3) { $0 + 64 + size * $1.capacity }
  }

  /// Whether a page of the tree leads to leaves.
  func isInterior(_ page: Number) -> Bool { children[page] != nil }

  /// Whether a page belongs to the tree.
  func contains(_ page: Number) -> Bool { leaves.contains(page) || isInterior(page) }

  /// How the leaves have changed.
  struct Difference: Sendable {
    var removed: Set<Number> = []
    var added: Set<Number> = []
  }

  /// Reads the interior pages that have changed.
  ///
  /// - Parameters:
  ///   - changed: All pages that have changed since the tree was read.
  ///   - read: Reads a page as it is now.
  /// - Returns: The leaves that have come and gone.
  /// - Throws: The error of `read`, or ``PageObstacle/damaged``. The tree must then be dropped.
  mutating func update(
    changed: Set<Number>,
    read: (Number) throws(PageObstacle) -> DatabasePage
  ) throws(PageObstacle) -> Difference {
    guard changed.contains(root) || hasInterior(among: changed) else { return Difference() }
    let (known, knownHeight) = (children, height)
    func pages(below page: Number) throws(PageObstacle) -> [Number]? {
      if !changed.contains(page), let pages = known[page] { return pages }
      let page = try read(page)
      switch page.kind {
      case .interiorIndex, .interiorTable: return try page.children()
      case .leafIndex, .leafTable: return nil
      case nil: throw .damaged
      }
    }
    if changed.contains(root) {
      // Whenever the height changes, the root is written.
      height = 0
      var page = root
      while let first = try pages(below: page)?.first {
        height += 1
        guard height <= Self.maximumHeight else { throw .damaged }
        page = first
      }
    }
    children = [:]
    var (before, after): (Set<Number>, Set<Number>) = ([], [])
    var level = [root]
    for depth in 0..<height {
      var next: [Number] = []
      for page in level {
        guard let pages = try pages(below: page), children.updateValue(pages, forKey: page) == nil
        else { throw .damaged }
        let isBottom = depth == height - 1
        if !isBottom {
          next += pages
        } else if knownHeight != height || known[page] != pages {
          after.formUnion(pages)
        }
        guard children.count <= Self.maximumInteriorPages else { throw .large }
      }
      level = next
    }
    if knownHeight == height {
      for (page, pages) in known where children[page] != pages && isBottom(page, pages, known) {
        before.formUnion(pages)
      }
    } else {
      before = leaves
      if height == 0 { after = [root] }
    }
    let difference = Difference(
      removed: before.subtracting(after),
      added: after.subtracting(before)
    )
    leaves.subtract(difference.removed)
    leaves.formUnion(difference.added)
    return difference
  }

  /// Whether the pages below an interior page are leaves.
  private func isBottom(_ page: Number, _ pages: [Number], _ known: [Number: [Number]]) -> Bool {
    pages.first.map { known[$0] == nil } ?? false
  }

  private func hasInterior(among changed: Set<Number>) -> Bool {
    changed.count < children.count
      ? changed.contains { children[$0] != nil } : children.keys.contains(where: changed.contains)
  }
}

/// Why the changes of commits cannot be found from pages.
enum PageObstacle: Error, Hashable, Sendable {
  /// The pages do not form a sound database.
  case damaged
  /// The schema, the file's header or its layout has changed.
  case schema
  /// The file moves its pages by `auto_vacuum`, or is huge.
  case layout
  /// A page has changed, and its owner is not known.
  case unexplained
  /// The log was restarted, or a page was overwritten, before it could be read.
  case overwritten
  /// More pages have changed than are worth reading.
  case large
  /// The files could not be read.
  case unreadable
  /// It is not known where the commits begin.
  case unknownStart
  /// The file has no log.
  case noLog
  /// The index of the log could not be read.
  case noIndex
  /// A commit may have written attached files, whose logs are not read.
  case attached
  /// Another file is at the path.
  case otherFile
  /// Their pages were not read.
  case unread
}

extension PageObstacle: CustomStringConvertible {
  /// The end of a sentence that begins with "it is unknown what has changed, because".
  var description: String {
    switch self {
    case .damaged: "the pages are not those of a sound database"
    case .schema: "the schema or the header of the file has changed"
    case .layout: "the file uses auto_vacuum, or is huge"
    case .unexplained: "a page has changed that belongs to no changed row"
    case .overwritten: "the log was overwritten before it was read"
    case .large: "very many pages have changed"
    case .unreadable: "the pages could not be read"
    case .unknownStart: "the log was not known before"
    case .noLog: "the file has no log"
    case .noIndex: "the index of the log could not be read"
    case .attached: "attached files have changed, or may have"
    case .otherFile: "another file is at the path"
    case .unread: "no page was read"
    }
  }
}
