import Testing

extension RunningTool {
  /// Runs the tool to its end, and expects one line on standard error and no other output.
  static func expectFailure(
    _ arguments: [String],
    _ message: String,
    code: Int32 = 1,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let tool = try RunningTool(arguments: arguments)
    #expect(try await tool.exitCode() == code, sourceLocation: sourceLocation)
    #expect(tool.errorText == "wellspring: \(message)\n", sourceLocation: sourceLocation)
    #expect(tool.outputText.isEmpty, sourceLocation: sourceLocation)
  }
}
