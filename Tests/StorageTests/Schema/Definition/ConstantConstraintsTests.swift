import Storage
import Testing

@testable import StorageTestSupport

/// A definition that compiles with a warning.
private protocol OldDefinition {
  static func define(_ t: TableDefinition)
}

private enum Constants: OldDefinition {
  @available(*, deprecated)
  static func define(_ t: TableDefinition) {
    t.column("kind").generatedAs("it's")
    t.column("number", .integer).generatedAs(7, .stored)
    t.check(true)
    t.check("1 > 0")
  }
}

@Suite struct ConstantConstraintsTests {
  @Test func `strings and numbers are constants, not SQL`() throws {
    let definition: any OldDefinition.Type = Constants.self
    try withParents { db in
      try expectDefinitions(
        db,
        [
          """
          CREATE TABLE "t" ("id" INTEGER, "kind" GENERATED ALWAYS AS ('it''s') VIRTUAL, \
          "number" INTEGER GENERATED ALWAYS AS (7) STORED, CHECK (1), CHECK ('1 > 0'))
          """
        ]
      ) {
        try db.create(table: "t") { t in
          t.column("id", .integer)
          definition.define(t)
        }
      }
    }
  }
}
