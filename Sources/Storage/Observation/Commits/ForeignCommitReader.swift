internal import WellspringSystem

/// The result of a look at a file.
enum ForeignCommitFinding: Sendable {
  /// There were no foreign commits since the last look.
  case none
  /// There were none, and none is being written: before there is one, the log is written.
  case settled
  /// There were foreign commits, or may have been.
  case some
  /// A foreign commit may be under way: only a later look can find it.
  case unsettled
}

/// Finds out which rows foreign commits have changed, from the pages that they have written.
///
/// The log lists those pages. The interior pages of an observed table list its leaves. A comparison
/// of the old and the new leaves shows the rows that differ. Anything that is not understood counts
/// as a change of everything.
///
/// It keeps the known pages of the tables, as of the last commit that it has seen.
final class ForeignCommitReader: Sendable {
  private struct State {
    /// The index of the last commits whose pages are known.
    var index: WALIndex?
    var frames: LogFrames?
    /// The trees of observed tables, by their roots.
    var trees: [DatabasePage.Number: PageTree] = [:]
    /// The roots of trees that are too large.
    var large: Set<DatabasePage.Number> = []
  }

  /// With more changed rows, or more changed pages of a table, the rows are not reported.
  private static let maximumRows = 1000
  /// More bytes are not read.
  private static let maximumBytes = 32 << 20
  /// More commits are not counted behind a restart of the log.
  private static let maximumRestart: UInt32 = 4000

  /// The root of the schema's tree.
  private static let schemaPage = DatabasePage.Number(RegionSchema.schemaPage)

  /// Represents the tables that are not observed.
  private static let otherTables = TableName(schema: "main", name: "(other tables)")

  // Guards the known pages, which one thread at a time reads.
  private let state = Lock(State())

  /// Finds the changes of foreign commits.
  ///
  /// - Parameters:
  ///   - db: A connection to the file. Its transaction, if one is open, has the commits.
  ///   - known: The index before the commits.
  ///   - index: The index after them.
  ///   - observed: The observed tables of the file.
  ///   - growth: The growth of the observed tables at that time.
  ///   - isContinuous: Whether a connection was open since the first index, so that the number of
  ///     commits between both is known.
  /// - Returns: The changes.
  func changes(
    _ db: Database,
    after known: WALIndex?,
    upTo index: WALIndex,
    of observed: ObservedTables,
    _ growth: ObservationGeneration,
    isContinuous: Bool = true
  ) -> CommittedChanges {
    guard !observed.names.isEmpty else {
      forgetPages()
      return .foreign(.unread)
    }
    do {
      guard let known else { throw PageObstacle.unknownStart }
      let tables =
        db.isInsideTransaction
        ? try read(db, known, index, observed, isContinuous)
        : try db.readTransaction { try read(db, known, index, observed, isContinuous) }
      return CommittedChanges(
        observed: .tables(tables),
        // Tables that are not observed have not been looked at.
        unreported: .everything,
        growth: growth,
        origin: .foreign(nil)
      )
    } catch {
      let obstacle = error as? PageObstacle ?? .unreadable
      // Otherwise, the next reading continues after the last successful one.
      if obstacle == .schema || obstacle == .damaged { forgetPages() }
      return .foreign(obstacle)
    }
  }

  /// Drops the known pages: the file's log, or its schema, may be another one.
  func forgetPages() { state.withLock { $0 = State() } }

  /// How many bytes the known pages take.
  var memory: Int {
    state.withLock { state in
      state.trees.values.reduce(state.frames?.memory ?? 0) { $0 + $1.memory }
    }
  }

  /// An observed table, and where its tree begins.
  private struct Root {
    let table: TableName
    /// `nil` if the table has no tree of its own.
    let page: DatabasePage.Number?
    let hasRowIDs: Bool
    let records: StoredRecords
  }

  private static func roots(
    of observed: ObservedTables,
    _ schema: RegionSchema,
    isUTF8: Bool
  ) -> [Root] {
    var trees: [TableName: (page: Int, columns: [ColumnName]?)] = [:]
    for (root, content) in schema.contents where root.database == 0 && !content.isIndex {
      trees[content.table] = (root.page, content.columns)
    }
    return observed.names.compactMap { name in
      guard name.schema == "main" else { return nil }
      let table = schema.tables[name]
      let tree = table?.isUnclear == true ? nil : trees[name]
      return Root(
        table: name,
        page: tree.flatMap { DatabasePage.Number(exactly: $0.page) },
        hasRowIDs: table?.isWithoutRowID == false,
        records: StoredRecords(
          columns: tree?.columns ?? [],
          conditionColumns: observed[name]?.conditionColumns ?? [],
          isUTF8: isUTF8
        )
      )
    }
  }

  private func read(
    _ db: Database,
    _ start: WALIndex,
    _ index: WALIndex,
    _ observed: ObservedTables,
    _ isContinuous: Bool
  ) throws -> [TableName: DatabaseChanges.Table] {
    let schema = try db.currentRegionSchema()
    guard let files = LogFiles(db.sqliteConnection) else { throw PageObstacle.unreadable }
    return try self.state.withLock { known in
      // After an obstacle, the known pages stay as they were.
      var state = known
      guard isContinuous || start.salt == index.salt else { throw PageObstacle.overwritten }
      let pages = try Self.pages(files, start, index, &state)
      try pages.checkHeader()
      let header = try pages.after(1)
      let cookie = Int64(Int32(bitPattern: try header.word(40)))
      guard schema.versions["main"]?.number == cookie else { throw PageObstacle.schema }
      let roots = Self.roots(of: observed, schema, isUTF8: try header.word(56) == 1)
      try pages.checkOverflowPages()
      var tables: [TableName: DatabaseChanges.Table] = [:]
      if observed.includesFullDatabase { tables[Self.otherTables] = .all }
      let trees = state.trees
      state.trees = [:]
      var schemaTree =
        try trees[Self.schemaPage] ?? PageTree(root: Self.schemaPage, read: pages.before)
      try pages.checkSchema(&schemaTree)
      state.trees[Self.schemaPage] = schemaTree
      for root in roots {
        guard let page = root.page else {
          tables[root.table] = .all
          continue
        }
        switch try Self.changes(of: root, page, pages, trees[page], &state) {
        case .none: break
        case .rows(let rows): tables[root.table] = .init(rows, root.records)
        case .ids(let ids): tables[root.table] = .init(columns: .all, rowIDs: .some(ids))
        case .some: tables[root.table] = .all
        }
      }
      state.index = index
      state.frames = pages.frames
      // If the log has restarted meanwhile, its frames may have been overwritten. And pages of the
      // database must not come from later commits.
      guard try files.lastBackfilledFrame() <= index.lastFrame,
        WALIndex.read(db.sqliteConnection)?.salt == index.salt
      else { throw PageObstacle.overwritten }
      known = state
      return tables
    }
  }

  private static func changes(
    of root: Root,
    _ page: DatabasePage.Number,
    _ pages: LoggedPages,
    _ known: PageTree?,
    _ state: inout State
  ) throws -> RowChanges {
    guard !state.large.contains(page) else { return .some }
    do throws(PageObstacle) {
      var tree: PageTree
      if let known { tree = known } else { tree = try PageTree(root: page, read: pages.before) }
      let changes = try pages.changes(
        of: &tree,
        hasRowIDs: root.hasRowIDs,
        maximumCount: maximumRows
      )
      state.trees[page] = tree
      return changes
    } catch {
      switch error {
      case .large: state.large.insert(page)
      // It is known from now on.
      case .overwritten: state.trees[page] = try PageTree(root: page, read: pages.after)
      default: throw error
      }
      return .some
    }
  }

  /// Returns the pages of the commits between two indexes, and brings the trees up to the first
  /// one.
  private static func pages(
    _ files: LogFiles,
    _ known: WALIndex,
    _ index: WALIndex,
    _ state: inout State
  ) throws(PageObstacle) -> LoggedPages {
    let start = try startFrame(files, known, index)
    guard Int(index.lastFrame - start) * index.pageSize <= maximumBytes else { throw .large }
    let isUpToDate =
      state.index.map { $0 == known || known.holdsSameCommits(as: $0) && known.isRestart(of: $0) }
      ?? false
    let continued = state.frames.flatMap {
      $0.salt == index.salt && $0.last <= start ? $0 : nil
    }
    var frames = continued ?? LogFrames(salt: index.salt)
    let own = try frames.read(upTo: start, files)
    let pages = try LoggedPages(
      files,
      pageSize: index.pageSize,
      after: frames,
      upTo: index.lastFrame
    )
    guard !isUpToDate, !Fault.isOn(.pageOwn) else { return pages }
    guard continued != nil else {
      state.trees = [:]
      return pages
    }
    for (root, var tree) in state.trees {
      do throws(PageObstacle) {
        _ = try tree.update(changed: own, read: pages.before)
        state.trees[root] = tree
      } catch {
        state.trees[root] = nil
      }
    }
    return pages
  }

  /// Returns the last frame before the frames of the commits between two indexes; 0 if the log
  /// begins with these frames.
  private static func startFrame(
    _ files: LogFiles,
    _ known: WALIndex,
    _ index: WALIndex
  ) throws(PageObstacle) -> UInt32 {
    guard known.pageSize == index.pageSize || known.isOfNoLog else { throw .schema }
    if known.salt == index.salt {
      guard known.lastFrame < index.lastFrame else { throw .overwritten }
      // Otherwise, the log was written again from an earlier frame on.
      if known.lastFrame > 0 {
        let checksum = try LoggedPages.checksum(
          ofFrame: known.lastFrame,
          in: files,
          pageSize: index.pageSize
        )
        guard checksum == known.checksum else { throw .overwritten }
      }
      return known.lastFrame
    }
    if Fault.isOn(.pageRestart) { return 0 }
    // All commits must be in the frames of the log that has begun since.
    guard known.isOfNoLog || index.isRestart(of: known), index.lastFrame <= maximumRestart else {
      throw .overwritten
    }
    let count = try LoggedPages.commits(
      in: files,
      pageSize: index.pageSize,
      upTo: index.lastFrame
    )
    guard known.commits &+ count == index.commits else { throw .overwritten }
    return 0
  }
}
