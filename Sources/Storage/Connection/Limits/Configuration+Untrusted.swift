extension Configuration {
  /// The configuration for files that others made, which may be damaged on purpose.
  ///
  ///     let pool = try DatabasePool(path: upload, configuration: .untrusted)
  ///
  /// The file is only read (``readonly``), and not trusted (``trustsFile``). A statement runs for
  /// ten seconds at most (``statementTimeout``), and ``limits`` bound the sizes of values and
  /// statements.
  ///
  /// SQLite still parses the file in this process. What needs protection even from a defect of
  /// SQLite should open such files in another process, with limits of the operating system.
  public static var untrusted: Configuration {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.trustsFile = false
    configuration.statementTimeout = .seconds(10)
    configuration.limits = .untrusted
    return configuration
  }
}
