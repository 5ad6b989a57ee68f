import Testing

@testable import Storage
@testable import StorageTestSupport

@Suite struct RegionSchemaTests {
  private func schema(_ sql: String, _ body: (RegionSchema) throws -> Void) throws {
    try withDatabase { db in
      try db.execute(sql: sql)
      try body(RegionSchema(db, versions: db.versions.schemaVersions()))
    }
  }

  private static func name(_ name: String, in schema: String = "main") -> TableName {
    TableName(schema: schema, name: name)
  }

  /// The b-trees of a table and of its indexes, as text.
  private func contents(_ schema: RegionSchema, of table: String) -> [String] {
    schema.contents.values.filter { $0.table.name == table }.map { content in
      "\(content.isIndex ? "index" : "table") \(content.columns?.map(\.name).joined(separator: ",") ?? "?")"
    }.sorted()
  }

  @Test func `tables have a kind`() throws {
    let sql = """
      CREATE VIEW cheap AS SELECT * FROM item WHERE price < 5;
      CREATE VIRTUAL TABLE page USING fts5(body);
      CREATE TABLE pair (a PRIMARY KEY, b) WITHOUT ROWID
      """
    try schema(sql) { schema in
      #expect(schema.tables[Self.name("Item")]?.kind == .table)
      #expect(schema.tables[Self.name("cheap")]?.kind == .view)
      #expect(schema.tables[Self.name("page")]?.kind == .virtual)
      #expect(schema.tables[Self.name("page_data")]?.kind == .shadow)
      #expect(schema.tables[Self.name("pair")]?.isWithoutRowID == true)
      #expect(schema.tables[Self.name("item")]?.isWithoutRowID == false)
      #expect(schema.tables[Self.name("missing")] == nil)
    }
  }

  @Test func `pages are known by the columns that they store`() throws {
    let sql = """
      CREATE TABLE size (Width, area AS (width * height), height, depth AS (1) STORED);
      CREATE INDEX size_on_height ON size (height, width);
      CREATE INDEX size_on_sum ON size (width + height)
      """
    try schema(sql) { schema in
      #expect(
        contents(schema, of: "size") == [
          "index ?", "index height,width", "table width,height,depth,area",
        ]
      )
      let table = schema.tables[Self.name("size")]
      #expect(table?.columns == ["width", "area", "height", "depth"])
      #expect(table?.generatedColumns == ["area", "depth"])
    }
  }

  @Test func `a table of every database of the connection is found by its name`() throws {
    let sql = "CREATE TEMP TABLE item (id); ATTACH ':memory:' AS Aux; CREATE TABLE aux.item (id)"
    try schema(sql) { schema in
      let names = schema.tables(named: "item").map(\.name.description)
      #expect(names.sorted() == ["aux.item", "item", "temp.item"])
    }
  }

  private func region(ofVirtualTable name: String, _ sql: String) throws -> String {
    var region = ""
    try schema(sql) { region = $0.region(ofVirtualTable: Self.name(name)).description }
    return region
  }

  @Test(
    arguments: [
      "fts5(body)", "fts5(content)", "fts5(body, content_rowid = id)", "fts4(body, content)",
    ]
  ) func `a virtual table reads its shadow tables`(_ module: String) throws {
    let region = try region(
      ofVirtualTable: "page",
      "CREATE VIRTUAL TABLE page USING \(module); CREATE TABLE other (id)"
    )
    #expect(region.contains("page(*), page_") && region.contains("page_content(*)"))
    #expect(!region.contains("other"))
  }

  @Test func `a table without content reads its index only`() throws {
    let region = try region(
      ofVirtualTable: "page",
      "CREATE VIRTUAL TABLE page USING fts5(body, content='')"
    )
    #expect(region == "page(*), page_config(*), page_data(*), page_docsize(*), page_idx(*)")
  }

  @Test(
    arguments: [
      "fts5(name, content='item')", "fts5(name, content=item, content_rowid=id)",
      "fts5(name, Content = \"ITEM\")", "fts5(name, tokenize = 'porter', cont = [item])",
      "fts5(content, content=`item`)", "fts4(name, content=\"item\")",
      "fts5(/* content='' */ name, content='item')",
    ]
  ) func `a table with external content also reads that table`(_ module: String) throws {
    let region = try region(ofVirtualTable: "found", "CREATE VIRTUAL TABLE found USING \(module)")
    #expect(region.contains("found(*), found_") && region.lowercased().contains(" item(*)"))
  }

  @Test(
    arguments: [
      "fts5(name, content='cheap')", "fts5(name, content='page')", "fts5(name, content='gone')",
      "fts5(name, content='sqlite_schema')", "fts5vocab(page, row)",
    ]
  ) func `a virtual table reads everything when it may read more`(_ module: String) throws {
    let sql = """
      CREATE VIEW cheap AS SELECT * FROM item WHERE price < 5;
      CREATE VIRTUAL TABLE page USING fts5(body);
      CREATE VIRTUAL TABLE found USING \(module)
      """
    try schema(sql) { schema in
      #expect(schema.region(ofVirtualTable: Self.name("found")).isFullDatabase)
    }
  }

  @Test func `content of a name with quotes is found`() {
    let sql = #"CREATE VIRTUAL TABLE f USING fts5(a, content='it''s "one"')"#
    #expect(ContentSource(sql: sql) == .external(#"it's "one""#))
    #expect(ContentSource(sql: "CREATE VIRTUAL TABLE f USING fts5(a, content=12)") == .unknown)
    #expect(ContentSource(sql: "CREATE VIRTUAL TABLE f USING \"fts5\"(a)") == .unknown)
    #expect(ContentSource(sql: "CREATE VIRTUAL TABLE f USING fts5(a$, c='item'") == .unknown)
    #expect(ContentSource(sql: "CREATE VIRTUAL TABLE f USING rtree(a, b, c)") == .otherModule)
  }
}
