@testable import Storage
import Testing

@Suite struct RegionSchemaTests {
  private func schema(_ sql: String, _ body: (RegionSchema) throws -> Void) throws {
    try withDatabase { db in
      try db.execute(sql: sql)
      try body(RegionSchema(db, versions: RegionSchema.versions(db)))
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

  @Test func `a virtual table reads its shadow tables, or everything when it may read more`()
    throws
  {
    let sql = """
      CREATE VIRTUAL TABLE page USING fts5(body);
      CREATE VIRTUAL TABLE external USING fts5(name, content='item');
      CREATE VIRTUAL TABLE words USING fts5vocab(page, row)
      """
    try schema(sql) { schema in
      let region = schema.region(ofVirtualTable: Self.name("page"))
      #expect(
        region.description
          == "page(*), page_config(*), page_content(*), page_data(*), page_docsize(*), page_idx(*)"
      )
      #expect(schema.region(ofVirtualTable: Self.name("external")).isFullDatabase)
      #expect(schema.region(ofVirtualTable: Self.name("words")).isFullDatabase)
    }
  }
}
