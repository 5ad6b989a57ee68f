extension Database {
  /// Drops the cached schema, and compiles all statements again before their next run.
  ///
  /// It is never needed after changes of the schema, which are noticed, whatever connection makes
  /// them.
  public func clearSchemaCache() {
    checkAccess()
    schemaCache = SchemaCache()
    catalog = TableCatalog()
    expireStatements()
  }
}
