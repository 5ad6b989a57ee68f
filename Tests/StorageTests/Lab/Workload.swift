import Storage
import TestSupport

/// Typical work of a service with a database. Each call to the file system fails once in it.
struct Workload: Sendable, CustomStringConvertible {
  let description: String
  let run: @Sendable (Patient) throws -> Void

  init(_ description: String, _ run: @escaping @Sendable (Patient) throws -> Void) {
    self.description = description
    self.run = run
  }

  static let all = [
    writes, savepoints, largeTransaction, migrations, rebuild, backup, vacuum, checkpoints,
    changesets, snapshots, watching,
  ]

  static let writes = Workload("writes") { patient in
    for _ in 0..<3 {
      try patient.commit { number in
        try patient.pool.write { db in try Ledger.add(number, to: db) }
      }
    }
  }

  static let savepoints = Workload("savepoints") { patient in
    try patient.commit { number in
      try patient.pool.write { db in
        try db.inSavepoint {
          try Ledger.add(-1, to: db)
          return .rollback
        }
        try db.inSavepoint {
          try Ledger.add(number, to: db)
          return .commit
        }
      }
    }
    try writes.run(patient)
  }

  /// Writes pages before the commit, because the cache is small.
  static let largeTransaction = Workload("a large transaction") { patient in
    try patient.commit { number in
      try patient.pool.write { db in
        for other in 1000..<1020 { try Ledger.add(other, to: db) }
        try db.execute(sql: "DELETE FROM ledger WHERE number >= 1000")
        try Ledger.add(number, to: db)
      }
    }
    try writes.run(patient)
  }

  static let migrations = Workload("migrations") { patient in
    try patient.commit { number in
      var migrator = DatabaseMigrator()
      migrator.registerMigration("customers") { db in
        try db.create(table: "customer") { $0.column("name", .text) }
        try Ledger.add(number, to: db)
      }
      migrator.registerMigration("index") { db in
        try db.create(index: "customerOnName", on: "customer", columns: ["name"])
      }
      try migrator.migrate(patient.pool)
    }
    try writes.run(patient)
  }

  static let rebuild = Workload("rebuild(table:)") { patient in
    try patient.commit { number in
      try patient.pool.write { db in
        try db.rebuild(table: "ledger") { table in
          table.column("number", .integer)
          table.column("part", .integer)
          table.column("payload", .blob)
          table.primaryKey(["number", "part"])
        }
        try Ledger.add(number, to: db)
      }
    }
    try writes.run(patient)
  }

  static let backup = Workload("a backup") { patient in
    try patient.attempt {
      let copy = try DatabaseQueue(
        .uri(patient.directory.file("copy.sqlite"), parameters: [.vfs(patient.system.name)])
      )
      defer { try? copy.close() }
      try patient.pool.backup(to: copy)
      // A backup that reports success is complete.
      try patient.checkEntries(copy)
    }
    try writes.run(patient)
  }

  static let vacuum = Workload("vacuum") { patient in
    try patient.commit { number in
      try patient.pool.write { db in try Ledger.add(number, to: db) }
    }
    try patient.attempt { try patient.pool.vacuum() }
    try writes.run(patient)
  }

  static let checkpoints = Workload("checkpoints") { patient in
    for mode in [Database.CheckpointMode.passive, .truncate] {
      try writes.run(patient)
      try patient.attempt { try patient.pool.checkpoint(mode) }
    }
    try writes.run(patient)
  }

  static let changesets = Workload("changesets") { patient in
    try patient.commit { number in
      try patient.pool.write { db in
        let changeset = try db.recordChangeset {
          try db.inSavepoint {
            try Ledger.add(number, to: db)
            return .commit
          }
        }
        try db.apply(changeset: changeset.inverted())
        try db.apply(changeset: changeset)
      }
    }
    try writes.run(patient)
  }

  static let snapshots = Workload("snapshots") { patient in
    if let pool = patient.pool as? DatabasePool {
      try patient.attempt {
        let snapshot = try pool.makeSnapshot()
        let before = try snapshot.read { db in try Ledger.numbers(db) }
        try writes.run(patient)
        let after = try snapshot.read { db in try Ledger.numbers(db) }
        guard before == after else { throw Ledger.Damage("a snapshot has changed") }
      }
    }
    try writes.run(patient)
  }

  /// Another pool of the process watches the file.
  static let watching = Workload("watching") { patient in
    try patient.attempt {
      var configuration = Configuration()
      configuration.readonly = true
      let watcher = try DatabasePool(
        .uri(patient.path, parameters: [.vfs(patient.system.name)]),
        configuration: configuration
      )
      defer { try? watcher.close() }
      try patient.checkEntries(watcher)
      try writes.run(patient)
      try patient.checkEntries(watcher)
    }
    try writes.run(patient)
  }
}
